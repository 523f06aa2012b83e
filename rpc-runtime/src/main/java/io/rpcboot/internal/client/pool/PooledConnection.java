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
 * Connection of a pool: time of its handshake, frozen state, and services and methods
 * that its server rejects. Control thread only, except the events of the connection.
 */
public final class PooledConnection implements ConnectionObserver {

	/** Largest description of rejected methods, in characters. */
	private static final int MAX_SHOWN = 2000;

	private final ConnectionPool pool;

	public final ClientConnection connection;

	private final LongSupplier nanoTime;

	private final ClientCounters counts;

	/** First numbers of the services that were counted as rejected. */
	private final Set<Integer> refused = new HashSet<>();

	final FrozenDetector frozen = new FrozenDetector();

	/** True if the server asks for a replacement; never false again. */
	boolean isOld;

	/** True if the connection was ready; never false again. */
	boolean wasReady;

	/**
	 * True if the handshake failed because client and server do not fit. Written by the
	 * event loop.
	 */
	volatile boolean isIncompatible;

	/**
	 * Refusal of this client in the handshake, null for none. Written by the event loop.
	 */
	volatile @Nullable BindRejection unauthenticated;

	/** Time at which the connection became ready. */
	private long sinceNanos;

	/** Rejections of whole services, by first number. */
	private final Map<Integer, BindRejection> services = new HashMap<>();

	/** Reasons of single rejected methods, by number. */
	private final Map<Integer, String> methods = new TreeMap<>();

	public PooledConnection(Connection opened, ConnectionPool pool, ClientResources client) {
		this.pool = pool;
		this.nanoTime = client.nanoTime();
		this.counts = client.counts();
		this.connection = pool.protocol().connect(opened, this);
	}

	@Override
	public Endpoint endpoint() {
		return this.pool.endpoint();
	}

	@Override
	public Endpoint authority() {
		return this.pool.key().authority();
	}

	@Override
	public BatchingOptions batching() {
		return this.pool.key().batching();
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
	public void onIncompatible() {
		this.isIncompatible = true;
	}

	@Override
	public void onUnauthenticated(BindRejection refusal) {
		this.unauthenticated = refusal;
		this.isIncompatible = true;
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

	/** Counts a service once, although server and client may both reject its methods. */
	private void count(ServiceBinding binding) {
		if (this.refused.add(binding.firstNumber())) {
			this.counts.contractRefused();
		}
	}

	/** Marks the connection as ready. */
	void becomesReady() {
		this.wasReady = true;
		this.sinceNanos = this.nanoTime.getAsLong();
	}

	/** Returns the time since the connection became ready. */
	long readyNanos() {
		return this.nanoTime.getAsLong() - this.sinceNanos;
	}

	/**
	 * Returns the rejection of a method, or of the whole service for ANY_METHOD, or null.
	 */
	@Nullable BindRejection refusal(ServiceBinding binding, int number) {
		String difference = this.methods.get(number);
		return (difference != null)
				? new BindRejection(RpcStatus.FAILED_PRECONDITION,
						"client and server have different versions of the interface or of a type in it: " + difference)
				: this.services.get(binding.firstNumber());
	}

	/** Returns true if the server has rejected a service because of who calls. */
	boolean isForbidden() {
		return this.services.values()
			.stream()
			.map(BindRejection::status)
			.anyMatch((status) -> status == RpcStatus.UNAUTHENTICATED || status == RpcStatus.PERMISSION_DENIED);
	}

	/** Returns the numbers of single rejected methods. */
	Set<Integer> refusedMethods() {
		return this.methods.keySet();
	}

	/**
	 * Returns the single rejected methods of a service as text; empty if there are none.
	 */
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
