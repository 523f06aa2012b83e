package io.rpcboot.registry;

import java.util.Set;
import java.util.regex.Pattern;

import io.rpcboot.Endpoint;
import io.rpcboot.ServiceId;
import io.rpcboot.transport.Protocol;

/**
 * One running copy of an application and the services that it offers. Immutable.
 *
 * @param id identity of the process, unique for each start
 * @param application name of the application
 * @param endpoint address at which clients reach the instance
 * @param weight share of the calls in relation to other instances, 1 or more
 * @param startedAtMillis start time in milliseconds since 1970, 0 if unknown; of two
 * instances with the same endpoint the older one is dead
 * @param services the services that it offers
 * @param zone zone in which it runs, preferred by clients of the same zone; empty if
 * unknown
 * @param tag tag of the calls that it takes, for example {@code canary}; empty for calls
 * without a tag
 * @param protocols protocols that it speaks; empty if unknown
 * @param tls true if it speaks TLS
 * @param serverName host name that its certificate has, and that clients send as
 * authority over gRPC; empty for the host of its address
 * @since 0.1.0
 */
public record ServiceInstance(String id, String application, Endpoint endpoint, int weight, long startedAtMillis,
		Set<ServiceId> services, String zone, String tag, Set<Protocol> protocols, boolean tls, String serverName) {

	/** Weight of an instance without a configured weight. */
	public static final int DEFAULT_WEIGHT = 100;

	/** Rule of {@link #isName}, for messages. */
	public static final String NAME = "at most 64 letters, digits, '.', '_' and '-'";

	private static final Pattern NAMES = Pattern.compile("[A-Za-z0-9._-]{0,64}");

	public ServiceInstance {
		services = Set.copyOf(services);
		protocols = Set.copyOf(protocols);
	}

	/**
	 * Creates an instance that speaks clear text.
	 * @param id identity of the process, unique for each start
	 * @param application name of the application
	 * @param endpoint address at which clients reach the instance
	 * @param weight share of the calls in relation to other instances, 1 or more
	 * @param startedAtMillis start time in milliseconds since 1970, 0 if unknown
	 * @param services the services that it offers
	 * @param zone zone in which it runs, empty if unknown
	 * @param tag tag of the calls that it takes, empty for calls without a tag
	 * @param protocols protocols that it speaks; empty if unknown
	 */
	public ServiceInstance(String id, String application, Endpoint endpoint, int weight, long startedAtMillis,
			Set<ServiceId> services, String zone, String tag, Set<Protocol> protocols) {
		this(id, application, endpoint, weight, startedAtMillis, services, zone, tag, protocols, false, "");
	}

	/**
	 * Creates an instance with unknown protocols.
	 * @param id identity of the process, unique for each start
	 * @param application name of the application
	 * @param endpoint address at which clients reach the instance
	 * @param weight share of the calls in relation to other instances, 1 or more
	 * @param startedAtMillis start time in milliseconds since 1970, 0 if unknown
	 * @param services the services that it offers
	 * @param zone zone in which it runs, empty if unknown
	 * @param tag tag of the calls that it takes, empty for calls without a tag
	 */
	public ServiceInstance(String id, String application, Endpoint endpoint, int weight, long startedAtMillis,
			Set<ServiceId> services, String zone, String tag) {
		this(id, application, endpoint, weight, startedAtMillis, services, zone, tag, Set.of());
	}

	/**
	 * Creates an instance without zone and tag, with unknown protocols.
	 * @param id identity of the process, unique for each start
	 * @param application name of the application
	 * @param endpoint address at which clients reach the instance
	 * @param weight share of the calls in relation to other instances, 1 or more
	 * @param startedAtMillis start time in milliseconds since 1970, 0 if unknown
	 * @param services the services that it offers
	 */
	public ServiceInstance(String id, String application, Endpoint endpoint, int weight, long startedAtMillis,
			Set<ServiceId> services) {
		this(id, application, endpoint, weight, startedAtMillis, services, "", "");
	}

	/**
	 * Returns a copy with another weight.
	 * @param weight 1 or more
	 * @return a copy
	 */
	public ServiceInstance withWeight(int weight) {
		return new ServiceInstance(this.id, this.application, this.endpoint, weight, this.startedAtMillis,
				this.services, this.zone, this.tag, this.protocols, this.tls, this.serverName);
	}

	/**
	 * Returns a copy with or without TLS.
	 * @param tls true if it speaks TLS
	 * @return a copy
	 */
	public ServiceInstance withTls(boolean tls) {
		return new ServiceInstance(this.id, this.application, this.endpoint, this.weight, this.startedAtMillis,
				this.services, this.zone, this.tag, this.protocols, tls, this.serverName);
	}

	/**
	 * Returns a copy with another name of its certificate.
	 * @param serverName host name; empty for the host of its address
	 * @return a copy
	 */
	public ServiceInstance withServerName(String serverName) {
		return new ServiceInstance(this.id, this.application, this.endpoint, this.weight, this.startedAtMillis,
				this.services, this.zone, this.tag, this.protocols, this.tls, serverName);
	}

	/**
	 * Returns a copy with other services.
	 * @param services the services that it offers
	 * @return a copy
	 */
	public ServiceInstance withServices(Set<ServiceId> services) {
		return new ServiceInstance(this.id, this.application, this.endpoint, this.weight, this.startedAtMillis,
				services, this.zone, this.tag, this.protocols, this.tls, this.serverName);
	}

	/**
	 * Returns true if clients may call the instance over a protocol.
	 * @param protocol the protocol
	 * @return true also if its protocols are unknown
	 */
	public boolean speaks(Protocol protocol) {
		return this.protocols.isEmpty() || this.protocols.contains(protocol);
	}

	/**
	 * Returns true if a text is a valid zone or tag: at most 64 letters, digits, '.', '_'
	 * and '-'. The empty text is valid.
	 * @param text the text
	 * @return true if it is valid
	 */
	public static boolean isName(String text) {
		return NAMES.matcher(text).matches();
	}

}
