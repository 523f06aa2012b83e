package io.rpcboot.internal.client.pool;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

import io.rpcboot.Endpoint;
import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.internal.client.connection.UnsentCallQueue;
import io.rpcboot.internal.client.contract.BindRejection;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.logging.RateLimitedLogger;
import org.jspecify.annotations.Nullable;

/** Connections of a pool that take calls. Control thread only. */
final class ReadyConnections {

	/** All ready connections. Shared with the pool, which changes the set, too. */
	final Set<PooledConnection> all = new HashSet<>();

	private final RateLimitedLogger log = new RateLimitedLogger("rpc.client", System::nanoTime);

	/**
	 * Returns the connections that take a method.
	 * @param number number of the method; ANY_METHOD stands for all methods
	 * @param frozen true to include frozen connections
	 */
	ClientConnection[] takers(ServiceBinding binding, int number, boolean frozen) {
		return this.all.stream()
			.filter((each) -> each.refusal(binding, number) == null && (frozen || !each.frozen.isFrozen()))
			.map((each) -> each.connection)
			.toArray(ClientConnection[]::new);
	}

	/** Returns the numbers of the methods that some connection rejects. */
	Set<Integer> refusedMethods(ServiceBinding binding) {
		int end = binding.firstNumber() + binding.service().methods().size();
		Set<Integer> result = new TreeSet<>();
		this.all.forEach((each) -> each.refusedMethods().forEach((number) -> {
			if (number >= binding.firstNumber() && number < end) {
				result.add(number);
			}
		}));
		return result;
	}

	/**
	 * Returns why all connections reject a method; null if one takes it or none is ready.
	 */
	@Nullable BindRejection refusal(ServiceBinding binding, int number) {
		BindRejection refusal = null;
		for (PooledConnection each : this.all) {
			refusal = each.refusal(binding, number);
			if (refusal == null) {
				return null;
			}
		}
		return refusal;
	}

	/** Returns the single rejected methods of a service as text, or another text. */
	String describeRefused(ServiceBinding binding, String otherwise) {
		return this.all.stream()
			.map((each) -> each.describeRefused(binding))
			.filter(Predicate.not(String::isEmpty))
			.findFirst()
			.orElse(otherwise);
	}

	/** Logs a rejection, because one-way calls do not report it. */
	void warnRefused(Endpoint endpoint, ServiceBinding binding, String why) {
		this.log.warn("Service " + binding.service().id(), "instance %s: %s".formatted(endpoint, why));
	}

	int pendingCalls() {
		return this.all.stream().mapToInt((each) -> each.connection.totals().pending()).sum();
	}

	/** Sets the queues from which each connection takes calls. */
	void chooseSources(Set<ConnectionPool.User> users) {
		this.all.forEach((each) -> {
			List<UnsentCallQueue> references = users.stream()
				.filter((user) -> each.refusal(user.binding(), ConnectionPool.ANY_METHOD) == null)
				.flatMap((user) -> user.queues().stream())
				.toList();
			each.connection.pullFrom(references);
		});
	}

	/** Removes and returns a connection that must be replaced; null if there is none. */
	@Nullable PooledConnection takeOld() {
		PooledConnection old = this.all.stream().filter((each) -> each.isOld).findFirst().orElse(null);
		if (old != null) {
			this.all.remove(old);
		}
		return old;
	}

}
