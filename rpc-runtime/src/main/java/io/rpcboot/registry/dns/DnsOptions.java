package io.rpcboot.registry.dns;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

import io.rpcboot.transport.Options;

/**
 * Options of the look-up of host names. Immutable. <pre>{@code
 * RpcClient.builder().dns(DnsOptions.defaults().withInterval(Duration.ofSeconds(5)))
 * }</pre>
 *
 * @since 0.1.0
 */
public final class DnsOptions extends Options {

	private static final HostResolver JVM = (host) -> List.of(InetAddress.getAllByName(host));

	/** Declared after the constants that its fields need. */
	private static final DnsOptions DEFAULTS = new DnsOptions();

	private Duration interval = Duration.ofSeconds(10);

	private HostResolver resolver = JVM;

	private DnsOptions() {
	}

	/**
	 * Returns the defaults: a look-up every 10 s by the JVM, which caches answers for 30
	 * s unless {@code networkaddress.cache.ttl} is set.
	 * @return the defaults
	 */
	public static DnsOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Returns a copy with another pause between two look-ups of a host. When an instance
	 * is unreachable, the next look-up follows at once, at most one per second.
	 * @param interval 1 s or more
	 * @return a copy
	 * @throws InvalidOptionException if the interval is shorter
	 */
	public DnsOptions withInterval(Duration interval) {
		require(interval.compareTo(Duration.ofSeconds(1)) >= 0, "dns.interval", interval, "1s or more");
		return copy((changed) -> changed.interval = interval);
	}

	/**
	 * Returns a copy with another resolver than the JVM's.
	 * @param resolver finds the addresses of a host
	 * @return a copy
	 */
	public DnsOptions withResolver(HostResolver resolver) {
		return copy((changed) -> changed.resolver = resolver);
	}

	/**
	 * Returns the pause between two look-ups of a host.
	 * @return 1 s or more
	 */
	public Duration interval() {
		return this.interval;
	}

	/**
	 * Returns the resolver.
	 * @return finds the addresses of a host
	 */
	public HostResolver resolver() {
		return this.resolver;
	}

	boolean usesJvm() {
		return this.resolver == JVM;
	}

}
