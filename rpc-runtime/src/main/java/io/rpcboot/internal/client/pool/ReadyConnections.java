package io.rpcboot.internal.client.pool;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

import io.rpcboot.Endpoint;
import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.internal.client.connection.PendingCallQueue;
import io.rpcboot.internal.client.contract.BindRejection;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.logging.RateLimitedLogger;
import org.jspecify.annotations.Nullable;

/** The connections of a pool that take calls. Control thread. */
final class ReadyConnections {

	/** All of them; changed by the pool. */
	final Set<PooledConnection> all = new HashSet<>();

	private final RateLimitedLogger refusals = new RateLimitedLogger("rpc.client", System::nanoTime);

	/** Those that take a method; ANY_METHOD for all. Frozen ones count if asked for. */
	ClientConnection[] takers(ServiceBinding binding, int number, boolean frozen) {
		return this.all.stream()
			.filter((each) -> each.refusal(binding, number) == null && (frozen || !each.silence.isFrozen()))
			.map((each) -> each.connection)
			.toArray(ClientConnection[]::new);
	}

	/** The methods of a service that some connection refuses, by number. */
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

	/** Why no connected server serves a method; null if one does or none is there. */
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

	/** The methods of a service that are refused by themselves, for people. */
	String describeRefused(ServiceBinding binding, String otherwise) {
		return this.all.stream()
			.map((each) -> each.describeRefused(binding))
			.filter(Predicate.not(String::isEmpty))
			.findFirst()
			.orElse(otherwise);
	}

	/** Those who call one way learn nothing else of it. */
	void warnRefused(Endpoint endpoint, ServiceBinding binding, String why) {
		this.refusals.warn("Service " + binding.service().id(), "instance %s: %s".formatted(endpoint, why));
	}

	int pendingCalls() {
		return this.all.stream().mapToInt((each) -> each.connection.totals().pending()).sum();
	}

	/** Each takes the calls of those users whose service it has. */
	void chooseSources(Set<ConnectionPool.User> users) {
		this.all.forEach((each) -> {
			List<PendingCallQueue> references = users.stream()
				.filter((user) -> each.refusal(user.binding(), ConnectionPool.ANY_METHOD) == null)
				.flatMap((user) -> user.queues().stream())
				.toList();
			each.connection.pullFrom(references);
		});
	}

	/** Take out one that the server wants replaced; null if there is none. */
	@Nullable PooledConnection takeOld() {
		PooledConnection old = this.all.stream().filter((each) -> each.isOld).findFirst().orElse(null);
		if (old != null) {
			this.all.remove(old);
		}
		return old;
	}

}
