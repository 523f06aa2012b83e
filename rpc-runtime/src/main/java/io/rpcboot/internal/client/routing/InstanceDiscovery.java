package io.rpcboot.internal.client.routing;

import java.net.InetAddress;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

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
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * Source of the instances of one reference: a registry, DNS names, or fixed addresses.
 * Any thread.
 */
public final class InstanceDiscovery {

	private static final RateLimitedLogger log = new RateLimitedLogger("rpc.client", System::nanoTime);

	/** Null if the addresses are fixed. */
	private final @Nullable Registry registry;

	private final List<Endpoint> fixed;

	private volatile @Nullable Subscription subscription;

	/** Number of instances that do not speak the protocol of the reference. */
	private volatile int othersCount;

	private Protocol protocol = Protocol.NATIVE;

	private InstanceDiscovery(@Nullable Registry registry, List<Endpoint> fixed) {
		this.registry = registry;
		this.fixed = fixed;
	}

	/** Returns a source of a registry, or one without addresses for null. */
	public static InstanceDiscovery of(@Nullable Registry registry) {
		return new InstanceDiscovery(registry, List.of());
	}

	/**
	 * Returns the source of a reference.
	 * @param options options of the reference
	 * @param registry registry of the client, or null
	 * @param lookups DNS look-ups of the client
	 * @throws RpcConfigurationException if the reference has neither addresses nor a
	 * registry
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
	 * Returns the DNS look-ups of a client. The in-process transport finds servers by
	 * their port, so all names are the loopback address there.
	 */
	public static HostLookups lookups(DnsOptions options, EventLoopOptions.Transport transport) {
		boolean inProcess = transport == EventLoopOptions.Transport.IN_PROCESS;
		return new HostLookups(
				inProcess ? options.withResolver((host) -> List.of(InetAddress.getLoopbackAddress())) : options);
	}

	/** Returns the name of the source for messages. */
	public String description() {
		return (this.registry != null) ? this.registry.description() : "static addresses";
	}

	/** Returns the kind of the registry, or {@code static}. */
	public String kind() {
		return (this.registry != null) ? this.registry.kind() : "static";
	}

	/**
	 * Subscribes to the instances of a service that speak a protocol.
	 * @param listener receives each snapshot
	 */
	public void follow(ServiceId service, Protocol protocol, Consumer<List<ServiceInstance>> listener) {
		this.protocol = protocol;
		if (this.registry != null) {
			this.subscription = this.registry.subscribe(service, (all) -> {
				List<ServiceInstance> fitting = all.stream().filter((each) -> each.speaks(protocol)).toList();
				this.othersCount = all.size() - fitting.size();
				listener.accept(fitting);
			});
			return;
		}
		listener.accept(this.fixed.stream()
			.map((endpoint) -> new ServiceInstance("", "", endpoint, ServiceInstance.DEFAULT_WEIGHT, 0,
					Set.of(service)))
			.toList());
	}

	/** Returns true if the instances never change. */
	public boolean isFixed() {
		return this.registry == null;
	}

	/**
	 * Asks the source for a fresh snapshot, because an instance is unreachable or
	 * missing.
	 */
	public void lookAgain() {
		guarded("look again", Subscription::lookAgain);
	}

	/** Runs a task of a subscription; its failure is logged and loses no call. */
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
	 * Returns true if the source may name another instance of a service soon.
	 * @param expected services of which the application expects an instance
	 * @param few true if few calls wait for it, which do so without a special reason
	 */
	public boolean mayNameSoon(ServiceId service, Predicate<ServiceId> expected, boolean few) {
		if (this.registry == null) {
			return false;
		}
		try {
			return expected.test(service)
					|| (few && !this.registry.isSynchronous() && this.registry.state() != RegistryState.CLOSED);
		}
		catch (Throwable ex) {
			log.warn("Registry failed", ex.getClass(), () -> "cannot read whether %s is expected".formatted(service),
					ex);
			return false;
		}
	}

	/**
	 * Returns the state of the registry and advice for the message of a call without an
	 * instance; empty if there is nothing to add.
	 * @param namesInstances true if instances are known
	 * @param ownAdvice advice of the application by service
	 */
	public String trouble(ServiceId service, boolean namesInstances, Function<ServiceId, String> ownAdvice) {
		if (this.registry == null) {
			return "";
		}
		try {
			RegistryState state = this.registry.state();
			String own = namesInstances ? "" : ownAdvice.apply(service);
			String advice = (namesInstances || !own.isEmpty()) ? own : this.registry.adviceWithoutInstance(service);
			return (namesInstances ? "" : others())
					+ ((state == RegistryState.CONNECTED) ? "" : "; the registry is " + state)
					+ (advice.isEmpty() ? "" : "; " + advice);
		}
		catch (Throwable ex) {
			log.warn("Registry failed", ex.getClass(), () -> "cannot read why %s has no instance".formatted(service),
					ex);
			return "; the registry failed to give a reason: " + ex.getClass().getName();
		}
	}

	private String others() {
		return (this.othersCount == 0) ? ""
				: "; it names %d without protocol %s, which the reference has: set rpc.server.protocols there, or another protocol here"
					.formatted(this.othersCount, Protocol.format(Set.of(this.protocol)));
	}

	/** Ends the subscription. */
	public void close() {
		guarded("end a subscription", Subscription::close);
	}

}
