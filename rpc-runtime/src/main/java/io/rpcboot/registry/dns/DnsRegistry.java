package io.rpcboot.registry.dns;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceId;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.registry.dns.HostLookups.Followed;
import org.jspecify.annotations.Nullable;

/**
 * Registry of one reference with addresses of which some are host names. Each address of
 * a name is an instance, whose certificate must have the name; names are looked up
 * repeatedly. Instances cannot be registered. Thread-safe.
 *
 * @since 0.1.0
 */
public final class DnsRegistry implements Registry {

	/** Prefix of an address that is looked up. */
	public static final String PREFIX = "dns:";

	private final HostLookups lookups;

	private final List<Endpoint> fixed;

	private final List<Endpoint> names;

	private final List<Follower> followers = new CopyOnWriteArrayList<>();

	private volatile boolean closed;

	/**
	 * Creates the registry of one reference.
	 * @param lookups look-ups of the client, shared by its references; not closed here
	 * @param fixed addresses without a look-up
	 * @param names hosts to look up, each with the port of its instances
	 */
	public DnsRegistry(HostLookups lookups, List<Endpoint> fixed, List<Endpoint> names) {
		this.lookups = lookups;
		this.fixed = List.copyOf(fixed);
		this.names = List.copyOf(names);
	}

	/**
	 * Returns the addresses without the prefix {@code dns:}.
	 * @param addresses {@code host:port}, {@code [ipv6]:port} or {@code dns:host:port}
	 * @return the fixed addresses
	 * @throws io.rpcboot.RpcConfigurationException if one of these is malformed
	 */
	public static List<Endpoint> fixed(List<String> addresses) {
		return addresses.stream().filter((each) -> !each.startsWith(PREFIX)).map(Endpoint::parse).toList();
	}

	/**
	 * Returns the addresses with the prefix {@code dns:}.
	 * @param addresses {@code host:port}, {@code [ipv6]:port} or {@code dns:host:port}
	 * @return the hosts after the prefix, each with the port of its instances
	 * @throws io.rpcboot.RpcConfigurationException if one of these is malformed
	 */
	public static List<Endpoint> names(List<String> addresses) {
		return addresses.stream().filter((each) -> each.startsWith(PREFIX)).map(DnsRegistry::parse).toList();
	}

	private static Endpoint parse(String address) {
		try {
			return Endpoint.parse(address.substring(PREFIX.length()));
		}
		catch (RpcConfigurationException ex) {
			throw new RpcConfigurationException("address: '%s' (expected: dns:host:port)".formatted(address),
					"Correct the address.", ex);
		}
	}

	@Override
	public Registration register(ServiceInstance instance) {
		throw new UnsupportedOperationException("names are registered in the name service");
	}

	/**
	 * {@inheritDoc}
	 * <p>
	 * Fixed addresses are delivered at once, so that an unknown name delays no call.
	 */
	@Override
	public Subscription subscribe(ServiceId service, Consumer<List<ServiceInstance>> listener) {
		if (this.closed) {
			throw new IllegalStateException("registry: CLOSED (expected: a registry that is open)");
		}
		Follower follower = new Follower(service, listener);
		this.followers.add(follower);
		follower.start();
		return follower;
	}

	/**
	 * Returns CONNECTED even if look-ups fail; {@link #adviceWithoutInstance} has the
	 * reason.
	 */
	@Override
	public RegistryState state() {
		return this.closed ? RegistryState.CLOSED : RegistryState.CONNECTED;
	}

	@Override
	public boolean isLocal() {
		return false;
	}

	@Override
	public String description() {
		return Stream
			.concat(this.fixed.stream().map(Endpoint::toString), this.names.stream().map((each) -> PREFIX + each))
			.collect(Collectors.joining(", "));
	}

	@Override
	public String kind() {
		return "dns";
	}

	/** Returns the problems of the names without addresses. */
	@Override
	public String adviceWithoutInstance(ServiceId service) {
		return this.followers.stream().flatMap(Follower::problems).distinct().collect(Collectors.joining("; "));
	}

	@Override
	public void close() {
		this.closed = true;
		this.followers.forEach(Follower::close);
	}

	private final class Follower implements Subscription {

		private final ServiceId service;

		private final Consumer<List<ServiceInstance>> listener;

		private final List<Followed> hosts = new CopyOnWriteArrayList<>();

		/** Addresses found, by name. */
		private final Map<Endpoint, List<InetAddress>> addresses = new LinkedHashMap<>();

		private @Nullable List<ServiceInstance> delivered;

		private boolean ended;

		Follower(ServiceId service, Consumer<List<ServiceInstance>> listener) {
			this.service = service;
			this.listener = listener;
		}

		private void start() {
			if (!DnsRegistry.this.fixed.isEmpty()) {
				deliver();
			}
			for (Endpoint name : DnsRegistry.this.names) {
				this.hosts.add(DnsRegistry.this.lookups.follow(name.host(), (found) -> onAddresses(name, found)));
			}
		}

		private synchronized void onAddresses(Endpoint name, List<InetAddress> found) {
			this.addresses.put(name, found);
			deliver();
		}

		private synchronized void deliver() {
			List<ServiceInstance> snapshot = snapshot();
			if (!this.ended && !snapshot.equals(this.delivered)) {
				this.listener.accept(snapshot);
				this.delivered = snapshot;
			}
		}

		private List<ServiceInstance> snapshot() {
			Map<Endpoint, ServiceInstance> found = new LinkedHashMap<>();
			DnsRegistry.this.fixed.forEach((endpoint) -> found.put(endpoint, instance("", "", endpoint)));
			for (Endpoint name : DnsRegistry.this.names) {
				for (InetAddress address : this.addresses.getOrDefault(name, List.of())) {
					Endpoint endpoint = new Endpoint(Objects.requireNonNull(address.getHostAddress()), name.port());
					found.putIfAbsent(endpoint,
							instance(endpoint.toString(), name.host(), endpoint).withServerName(name.host()));
				}
			}
			return new ArrayList<>(found.values());
		}

		private ServiceInstance instance(String id, String application, Endpoint endpoint) {
			return new ServiceInstance(id, application, endpoint, ServiceInstance.DEFAULT_WEIGHT, 0,
					Set.of(this.service));
		}

		private Stream<String> problems() {
			return this.hosts.stream().map(Followed::problem).filter((each) -> !each.isEmpty());
		}

		@Override
		public void lookAgain() {
			this.hosts.forEach(Followed::now);
		}

		@Override
		public void close() {
			synchronized (this) {
				this.ended = true;
			}
			DnsRegistry.this.followers.remove(this);
			this.hosts.forEach(Followed::close);
		}

	}

}
