package io.rpcboot.internal.client.reference;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.pool.ConnectionPools;
import io.rpcboot.internal.client.routing.InstanceDiscovery;
import io.rpcboot.internal.client.routing.SafeLoadBalancer;
import io.rpcboot.internal.client.runtime.ClientOptions;
import io.rpcboot.internal.client.runtime.ClientOptions.PoolsKey;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.client.runtime.ReferenceDefaults;
import io.rpcboot.transport.TlsOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * References of a client: makes them, and gives them the options that change while the
 * client runs. Any thread, unless a method says otherwise.
 */
public final class ReferenceTable {

	private static final Logger logger = LoggerFactory.getLogger("rpc.client");

	/** Instances that one task of the control thread describes. */
	private static final int SLICE_INSTANCES = 256;

	private final ClientResources client;

	/** Makes the pools of a protocol. */
	private final Function<PoolsKey, ConnectionPools> newPools;

	private final Map<PoolsKey, ConnectionPools> pools = new ConcurrentHashMap<>();

	private final List<ServiceRouter> routers = new CopyOnWriteArrayList<>();

	/** Number of references made so far. */
	private final AtomicInteger made = new AtomicInteger();

	private volatile ReferenceDefaults defaults;

	/**
	 * Creates an empty table.
	 * @param pools makes the pools for the first reference with a key
	 */
	public ReferenceTable(ClientResources client, Function<PoolsKey, ConnectionPools> pools) {
		this.client = client;
		this.newPools = pools;
		this.defaults = client.options().defaults();
	}

	/** Returns the options of references without their own. */
	public ReferenceDefaults defaults() {
		return this.defaults;
	}

	/** Returns the routers of all references, in the order in which they were made. */
	public List<ServiceRouter> routers() {
		return this.routers;
	}

	/**
	 * Makes a reference, which connects at once in the background.
	 * @param proxied returns the reference for a proxy
	 * @param requireOpen throws an exception if the client is closed
	 */
	private <T> T make(ServiceBinding binding, InstanceDiscovery source, ReferenceOptions options,
			Function<ServiceProxy, T> proxied, Runnable requireOpen) {
		ReferenceDefaults used = this.defaults;
		ClientOptions ofClient = this.client.options();
		List<BoundMethod> methods = BoundMethods.of(binding.service(), options, used,
				(method) -> BoundMethods.plain(method, binding, options, ofClient.metrics));
		SafeLoadBalancer loadBalancer = new SafeLoadBalancer(used.loadBalancer().get());
		PoolsKey key = ofClient.poolsKey(binding.protocol(), options);
		requireRegistry(binding, options, key.tls());
		ConnectionPools pools = this.pools.computeIfAbsent(key, this.newPools);
		ServiceRouter router = new ServiceRouter(binding, source, used.resilienceOf(options),
				(options.batching() != null) ? options.batching() : ofClient.batching, used.waitOf(options),
				this.client, pools);
		ServiceProxy proxy = new ServiceProxy(this.made.getAndIncrement(), router, methods, loadBalancer,
				(options.callbacks() != null) ? options.callbacks() : ofClient.callbacks, this.client,
				pools.protocol().attachments(), ofClient.forwarded(options));
		router.options = options;
		router.attach(proxy);
		T reference = proxied.apply(proxy);
		this.routers.add(router);
		try {
			while (used != this.defaults) { // it may have been listed too late for a
											// change
				used = this.defaults;
				router.change(options, used, new SafeLoadBalancer(used.loadBalancer().get())).run();
			}
			source.follow(binding.service().id(), binding.protocol(), router::onInstances);
			requireOpen.run(); // a concurrent close may have missed the reference
		}
		catch (RuntimeException | Error ex) {
			remove(router);
			throw ex;
		}
		return reference;
	}

	/**
	 * Makes a reference together with the part that carries its streams, which is made by
	 * the first call of one.
	 * @param streams binding of the methods with streams, null if the reference carries
	 * all methods itself
	 * @param sources returns the source of the instances of each
	 */
	public <T> T make(ServiceBinding binding, @Nullable ServiceBinding streams, Supplier<InstanceDiscovery> sources,
			ReferenceOptions options, Function<ServiceProxy, T> proxied, Runnable requireOpen) {
		return make(binding, sources.get(), options, (proxy) -> {
			if (streams != null) {
				proxy.streams = new Part(() -> {
					ServiceRouter whole = proxy.router;
					ServiceProxy part = make(streams, sources.get(), whole.options, (own) -> own, requireOpen);
					part.router.carriesStreamsOf(whole);
					return part;
				});
			}
			return proxied.apply(proxy);
		}, requireOpen);
	}

	/** Part of a reference, made once. */
	private static final class Part implements Supplier<ServiceProxy> {

		private final Supplier<ServiceProxy> maker;

		private volatile @Nullable ServiceProxy made;

		Part(Supplier<ServiceProxy> maker) {
			this.maker = maker;
		}

		@Override
		public ServiceProxy get() {
			ServiceProxy known = this.made;
			return (known != null) ? known : make();
		}

		private synchronized ServiceProxy make() {
			ServiceProxy known = this.made;
			if (known == null) {
				known = this.maker.get();
				this.made = known;
			}
			return known;
		}

	}

	/** Rejects TLS as of the registry for a reference that does not use it. */
	private static void requireRegistry(ServiceBinding binding, ReferenceOptions options, @Nullable TlsOptions tls) {
		if (tls != null && tls.clientMode() == TlsOptions.ClientMode.REGISTRY
				&& !(options.endpoints().isEmpty() && options.dnsEndpoints().isEmpty())) {
			throw new RpcConfigurationException(
					"ssl.mode: registry, but the reference to %s has addresses, which do not tell whether servers speak TLS (expected: required)"
						.formatted(binding.service().id()),
					"Name the bundle at the reference, too (references.<name>.ssl.bundle), so that it requires TLS, or set ssl.mode to required.");
		}
	}

	/**
	 * Replaces the connections, because their TLS has changed.
	 * @param tls options with which references were made
	 */
	public void renewConnections(TlsOptions tls) {
		this.pools.forEach((key, each) -> {
			if (key.tls() == tls) {
				each.renew();
			}
		});
	}

	/** Removes a reference whose creation has failed. */
	private void remove(ServiceRouter router) {
		this.routers.remove(router);
		router.unfollow();
		try {
			this.client.control().execute(router::close);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("Client closed before a reference was made", ex);
		}
	}

	/**
	 * Changes the options of later calls. Routing is not changed.
	 * @param next options of references without their own
	 * @param own new options of single references; all others keep theirs
	 * @throws io.rpcboot.RpcConfigurationException if an option does not fit a service;
	 * nothing has changed then
	 */
	public synchronized void reconfigure(ReferenceDefaults next, Map<ServiceRouter, ReferenceOptions> own) {
		ReferenceDefaults before = this.defaults;
		boolean balances = !next.loadBalancer().equals(before.loadBalancer());
		List<Runnable> changes = new ArrayList<>();
		for (ServiceRouter each : this.routers) {
			ServiceRouter whole = each.whole;
			changes.add(each.change(own.getOrDefault((whole != null) ? whole : each, each.options), next,
					balances ? new SafeLoadBalancer(next.loadBalancer().get()) : null));
		}
		this.defaults = new ReferenceDefaults(next.timeout(), next.waitForInstance(), next.waitsByDefault(),
				next.resilience().withRouting(before.resilience().routing()), next.loadBalancer());
		try {
			changes.forEach(Runnable::run);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("Client closed before all references were changed", ex);
		}
	}

	/**
	 * Describes the next references, so that one task does not hold up the event loop of
	 * the control thread: 256 instances take 0.2 ms. Control thread.
	 * @param routers left references; the described ones are taken
	 * @param counted true to count the calls of each instance from now on
	 * @return one reference or more, empty if none is left
	 */
	public static List<ReferenceInfo> nextSlice(Iterator<ServiceRouter> routers, boolean counted) {
		List<ReferenceInfo> slice = new ArrayList<>();
		int instances = 0;
		while (routers.hasNext() && instances < SLICE_INSTANCES) {
			ReferenceInfo reference = routers.next().describe(counted);
			slice.add(reference);
			instances += Math.max(1, reference.instances().size());
		}
		return slice;
	}

}
