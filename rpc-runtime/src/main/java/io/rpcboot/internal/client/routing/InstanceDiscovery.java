package io.rpcboot.internal.client.routing;

import java.net.InetAddress;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceId;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.Registry.Subscription;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.registry.dns.DnsOptions;
import io.rpcboot.registry.dns.DnsRegistry;
import io.rpcboot.registry.dns.HostLookups;
import io.rpcboot.transport.EventLoopOptions;
import org.jspecify.annotations.Nullable;

/**
 * Where the instances of one reference come from: a registry, names that are looked up,
 * or addresses that stay. Any thread.
 */
public final class InstanceDiscovery {

	private static final RateLimitedLogger log = new RateLimitedLogger("rpc.client", System::nanoTime);

	/** Null when the addresses are fixed. */
	private final @Nullable Registry registry;

	private final List<Endpoint> fixed;

	private volatile @Nullable Subscription subscription;

	private InstanceDiscovery(@Nullable Registry registry, List<Endpoint> fixed) {
		this.registry = registry;
		this.fixed = fixed;
	}

	/** A registry; null for addresses that somebody else tells. */
	public static InstanceDiscovery of(@Nullable Registry registry) {
		return new InstanceDiscovery(registry, List.of());
	}

	/**
	 * The source of a reference.
	 * @param options of the reference
	 * @param registry that of the client, null for none
	 * @param lookups those of the client
	 * @throws RpcConfigurationException if there is none
	 */
	public static InstanceDiscovery of(ServiceId service, ReferenceOptions options, @Nullable Registry registry,
			HostLookups lookups) {
		if (!options.dnsEndpoints().isEmpty()) {
			return of(new DnsRegistry(lookups, options.endpoints(), options.dnsEndpoints()));
		}
		if (!options.endpoints().isEmpty()) {
			return new InstanceDiscovery(null, options.endpoints());
		}
		if (registry == null) {
			throw new RpcConfigurationException(
					"The reference to %s has no addresses and the client has no registry".formatted(service),
					"Give the reference endpoints or the client a registry.");
		}
		return of(registry);
	}

	/**
	 * The look-ups of a client. Servers of its own process are found by their port alone.
	 */
	public static HostLookups lookups(DnsOptions options, EventLoopOptions.Transport transport) {
		boolean inProcess = transport == EventLoopOptions.Transport.IN_PROCESS;
		return new HostLookups(
				inProcess ? options.withResolver((host) -> List.of(InetAddress.getLoopbackAddress())) : options);
	}

	/** What the source is, for people. */
	public String description() {
		return (this.registry != null) ? this.registry.description() : "static addresses";
	}

	/** Returns the kind of the registry, or {@code static}. */
	public String kind() {
		return (this.registry != null) ? this.registry.kind() : "static";
	}

	/** Begin. */
	public void follow(ServiceId service, Consumer<List<ServiceInstance>> listener) {
		if (this.registry != null) {
			this.subscription = this.registry.subscribe(service, listener);
			return;
		}
		listener.accept(this.fixed.stream()
			.map((endpoint) -> new ServiceInstance("", "", endpoint, ServiceInstance.DEFAULT_WEIGHT, 0,
					Set.of(service)))
			.toList());
	}

	/** Whether it has nothing else to say than at the beginning. */
	public boolean isFixed() {
		return this.registry == null;
	}

	/** An instance cannot be reached, or there is none. */
	public void lookAgain() {
		guarded("look again", Subscription::lookAgain);
	}

	/** A registry of the application's own may be wrong: no call is lost by it. */
	private void guarded(String what, Consumer<Subscription> task) {
		Subscription subscription = this.subscription;
		if (subscription == null) {
			return;
		}
		try {
			task.accept(subscription);
		}
		catch (Throwable ex) {
			log.warn("Registry failed", ex.getClass(), () -> description() + " did not " + what, ex);
		}
	}

	/**
	 * What a person should know beside that there is no instance.
	 * @param service the service
	 * @param namesInstances whether instances are known
	 * @param ownAdvice of the application
	 */
	public String trouble(ServiceId service, boolean namesInstances, Function<ServiceId, String> ownAdvice) {
		if (this.registry == null) {
			return "";
		}
		try {
			RegistryState state = this.registry.state();
			String own = namesInstances ? "" : ownAdvice.apply(service);
			String advice = (namesInstances || !own.isEmpty()) ? own : this.registry.adviceWithoutInstance(service);
			return ((state == RegistryState.CONNECTED) ? "" : "; the registry is " + state)
					+ (advice.isEmpty() ? "" : "; " + advice);
		}
		catch (Throwable ex) {
			log.warn("Registry failed", ex.getClass(),
					() -> "It does not say why %s has no instance".formatted(service), ex);
			return "; the registry does not say why: " + ex.getClass().getName();
		}
	}

	public void close() {
		guarded("end a subscription", Subscription::close);
	}

}
