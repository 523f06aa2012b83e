package io.rpcboot.internal.client.pool;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

import io.rpcboot.Endpoint;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.call.ClientCounters;
import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.internal.client.connection.ConnectionObserver;
import io.rpcboot.internal.client.contract.BindRejection;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.transport.BatchingOptions;
import org.jspecify.annotations.Nullable;

/**
 * A connection as its pool knows it: since when it takes calls, and which ones its server
 * refuses. Confined to the control thread but for what the connection reports.
 */
public final class PooledConnection implements ConnectionObserver {

	private static final int MAX_SHOWN = 2000;

	private final ConnectionPool pool;

	public final ClientConnection connection;

	private final LongSupplier nanoTime;

	private final ClientCounters counts;

	/** Services of which something is refused, by first number. */
	private final Set<Integer> refused = new HashSet<>();

	final FrozenDetector silence = new FrozenDetector();

	/** Whether the server wants another one in its place; never false again. */
	boolean isOld;

	/** Whether it takes calls or has taken some; never false again. */
	boolean wasReady;

	/** When it became ready. */
	private long sinceNanos;

	/** Services of which no method can be called, by first number, and why. */
	private final Map<Integer, BindRejection> services = new HashMap<>();

	/** Methods of the others that cannot be called, by number, and why. */
	private final Map<Integer, String> methods = new TreeMap<>();

	public PooledConnection(Connection opened, ConnectionPool pool, ClientResources client) {
		this.pool = pool;
		this.nanoTime = client.nanoTime();
		this.counts = client.counts();
		this.connection = new ClientConnection(opened, this, client);
	}

	@Override
	public Endpoint endpoint() {
		return this.pool.endpoint();
	}

	@Override
	public BatchingOptions batching() {
		return this.pool.batching();
	}

	@Override
	public Collection<ServiceBinding> bindings() {
		return this.pool.bindings();
	}

	@Override
	public void onReady() {
		this.pool.onReady(this);
	}

	@Override
	public void onDraining(String reason, boolean served) {
		this.pool.onDraining(this, reason, served);
	}

	@Override
	public void onOld(boolean ends) {
		this.pool.onOld(this, ends);
	}

	@Override
	public void onClosed(String why) {
		this.pool.onClosed(this, why);
	}

	@Override
	public void onBindRefused(ServiceBinding binding, BindRejection refusal) {
		this.pool.onRefused(this, binding, () -> {
			count(binding);
			this.services.put(binding.firstNumber(), refusal);
			return refusal.why();
		});
	}

	@Override
	public void onMethodsRefused(ServiceBinding binding, Map<Integer, String> refused) {
		if (refused.isEmpty()) {
			return;
		}
		this.pool.onRefused(this, binding, () -> {
			count(binding);
			refused.forEach((index, why) -> this.methods.put(binding.firstNumber() + index, why));
			return describeRefused(binding);
		});
	}

	/** The server and the client itself may refuse methods of the same contract. */
	private void count(ServiceBinding binding) {
		if (this.refused.add(binding.firstNumber())) {
			this.counts.contractRefused();
		}
	}

	/** It takes calls from now on. */
	void becomesReady() {
		this.wasReady = true;
		this.sinceNanos = this.nanoTime.getAsLong();
	}

	/** How long it has taken calls. */
	long readyNanos() {
		return this.nanoTime.getAsLong() - this.sinceNanos;
	}

	/** Why a method is refused, or by ANY_METHOD its whole service; null if it is not. */
	@Nullable BindRejection refusal(ServiceBinding binding, int number) {
		String difference = this.methods.get(number);
		return (difference != null)
				? new BindRejection(RpcStatus.FAILED_PRECONDITION,
						"client and server have different versions of the interface or of a type in it: " + difference)
				: this.services.get(binding.firstNumber());
	}

	/** Numbers of the methods that are refused by themselves. */
	Set<Integer> refusedMethods() {
		return this.methods.keySet();
	}

	/** The methods of a service that are refused by themselves, for people. */
	String describeRefused(ServiceBinding binding) {
		if (this.methods.isEmpty()) {
			return "";
		}
		List<String> refused = binding.service()
			.methods()
			.stream()
			.filter((method) -> this.methods.containsKey(binding.firstNumber() + method.number()))
			.map((method) -> describe(method, this.methods.get(binding.firstNumber() + method.number())))
			.toList();
		if (refused.isEmpty()) {
			return "";
		}
		String all = String.join("; ", refused);
		return "%d of %d methods are refused: %s".formatted(refused.size(), binding.service().methods().size(),
				(all.length() <= MAX_SHOWN) ? all : all.substring(0, MAX_SHOWN) + "...");
	}

	private static String describe(MethodDescriptor method, @Nullable String difference) {
		return (difference != null && difference.contains(method.name() + "(")) ? difference
				: method.signature() + ": " + difference;
	}

}
