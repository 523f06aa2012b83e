package io.rpcboot.registry.dns;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Finds the addresses of a host. */
@FunctionalInterface
public interface HostResolver {

	/**
	 * Look a host up. May block; called for one host once at a time, for several hosts at
	 * the same time.
	 * @param host the name
	 * @return all its addresses, in any order
	 * @throws UnknownHostException if there is none, or the name service gives no answer
	 */
	List<InetAddress> resolve(String host) throws UnknownHostException;

}
