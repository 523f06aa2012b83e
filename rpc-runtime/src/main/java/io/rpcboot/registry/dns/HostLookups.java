package io.rpcboot.registry.dns;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Consumer;

import io.rpcboot.registry.Lookup;
import io.rpcboot.registry.LookupThreads;
import org.jspecify.annotations.Nullable;

/**
 * Look-ups of the hosts that the references of a client follow. References to one host
 * share a look-up. Thread-safe.
 *
 * @since 0.1.0
 */
public final class HostLookups implements AutoCloseable {

	private final DnsOptions options;

	private final LookupThreads threads;

	private final Map<String, Host> hosts = new HashMap<>();

	/** True once the cache of the JVM was checked. */
	private boolean cacheChecked;

	/**
	 * Creates look-ups with threads of their own, which start with the first host.
	 * @param options interval and resolver
	 */
	public HostLookups(DnsOptions options) {
		this(options, new LookupThreads("rpc-registry-dns"));
	}

	HostLookups(DnsOptions options, LookupThreads threads) {
		this.options = options;
		this.threads = threads;
	}

	/** A subscription to the addresses of a host. */
	interface Followed extends AutoCloseable {

		/** Looks the host up now. */
		void now();

		/** Returns the problem of the latest look-up, empty if it succeeded. */
		String problem();

		@Override
		void close();

	}

	/**
	 * Subscribes to the addresses of a host.
	 * @param name the host
	 * @param listener receives all addresses, sorted, once they are known and after each
	 * look-up
	 */
	synchronized Followed follow(String name, Consumer<List<InetAddress>> listener) {
		if (this.options.usesJvm() && !this.cacheChecked) {
			this.cacheChecked = true;
			JvmCache.check(name, this.options.interval());
		}
		Host host = this.hosts.computeIfAbsent(name, Host::new);
		host.add(listener);
		return new Followed() {

			@Override
			public void now() {
				host.lookup.now();
			}

			@Override
			public String problem() {
				return host.lookup.problem();
			}

			@Override
			public void close() {
				leave(host, listener);
			}

		};
	}

	private synchronized void leave(Host host, Consumer<List<InetAddress>> listener) {
		host.listeners.remove(listener);
		if (host.listeners.isEmpty()) {
			host.lookup.close();
			this.hosts.remove(host.name, host);
		}
	}

	/** Ends all look-ups. */
	@Override
	public synchronized void close() {
		this.hosts.values().forEach((host) -> host.lookup.close());
		this.hosts.clear();
		this.threads.close();
	}

	private final class Host {

		private final String name;

		private final Set<Consumer<List<InetAddress>>> listeners = new CopyOnWriteArraySet<>();

		private final Lookup<List<InetAddress>> lookup;

		private @Nullable List<InetAddress> latest;

		Host(String name) {
			this.name = name;
			this.lookup = new Lookup<>("Host " + name, this::resolve, this::deliver,
					HostLookups.this.options.interval(), HostLookups.this.threads);
		}

		private List<InetAddress> resolve() throws UnknownHostException {
			List<InetAddress> found = HostLookups.this.options.resolver().resolve(this.name);
			if (found.isEmpty()) {
				throw new UnknownHostException(this.name + " has no address");
			}
			// name servers rotate their lists; the order has no meaning
			return found.stream().distinct().sorted(Comparator.comparing(InetAddress::getHostAddress)).toList();
		}

		private synchronized void deliver(List<InetAddress> addresses) {
			this.latest = addresses;
			this.listeners.forEach((listener) -> listener.accept(addresses));
		}

		private synchronized void add(Consumer<List<InetAddress>> listener) {
			this.listeners.add(listener);
			if (this.latest != null) {
				listener.accept(this.latest);
			}
			else {
				this.lookup.now();
			}
		}

	}

}
