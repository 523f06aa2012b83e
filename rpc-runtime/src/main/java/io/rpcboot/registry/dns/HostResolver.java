package io.rpcboot.registry.dns;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Finds the addresses of a host. Thread-safe.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface HostResolver {

	/**
	 * Looks a host up. May block. One call at a time for a host, concurrent calls for
	 * several hosts.
	 * @param host the name
	 * @return all its addresses, in any order
	 * @throws UnknownHostException if the host has no address, or the name service does
	 * not answer
	 */
	List<InetAddress> resolve(String host) throws UnknownHostException;

}
