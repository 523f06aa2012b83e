package io.rpcboot.registry.dns;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

import io.rpcboot.transport.Options;

/**
 * How host names are looked up whose addresses are instances. Immutable.
 */
public final class DnsOptions extends Options {

	private static final HostResolver JVM = (host) -> List.of(InetAddress.getAllByName(host));

	/** Comes last, because the defaults begin with the constants above. */
	private static final DnsOptions DEFAULTS = new DnsOptions();

	private Duration interval = Duration.ofSeconds(10);

	private HostResolver resolver = JVM;

	private DnsOptions() {
	}

	/**
	 * Every 10 s, by the JVM, which keeps answers for 30 s unless its
	 * {@code networkaddress.cache.ttl} says otherwise.
	 * @return the defaults
	 */
	public static DnsOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Set the pause between two look-ups of a host. When an instance cannot be reached,
	 * the next one comes at once, but not within a second of the one before.
	 * @param interval 1 s or more
	 * @return changed options
	 */
	public DnsOptions withInterval(Duration interval) {
		require(interval.compareTo(Duration.ofSeconds(1)) >= 0, "dns.interval", interval, "1s or more");
		return copy((changed) -> changed.interval = interval);
	}

	/**
	 * Look hosts up by something else than the JVM.
	 * @param resolver finds the addresses of a host
	 * @return changed options
	 */
	public DnsOptions withResolver(HostResolver resolver) {
		return copy((changed) -> changed.resolver = resolver);
	}

	/**
	 * The pause between two look-ups of a host.
	 * @return 1 s or more
	 */
	public Duration interval() {
		return this.interval;
	}

	/**
	 * What finds the addresses of a host.
	 * @return the resolver
	 */
	public HostResolver resolver() {
		return this.resolver;
	}

	boolean usesJvm() {
		return this.resolver == JVM;
	}

}
