package io.rpcboot.transport;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Protocol that clients and servers speak.
 *
 * @since 0.1.0
 */
public enum Protocol {

	/** The protocol of this project. */
	NATIVE,

	/** gRPC over HTTP/2, with protobuf. */
	GRPC,

	/** Connect over HTTP/1.1 and HTTP/2, with JSON and protobuf. For servers only. */
	CONNECT,

	/** gRPC-Web over HTTP/1.1 and HTTP/2, with protobuf. For servers only. */
	GRPC_WEB;

	/**
	 * Returns true if HTTP/1.1 carries this protocol.
	 * @return true for the protocols of browsers
	 */
	public boolean isOfBrowsers() {
		return this == CONNECT || this == GRPC_WEB;
	}

	/**
	 * Returns the protocols that a text names.
	 * @param names names in upper or lower case, with commas between
	 * @return all that are known, because a later version may have more
	 */
	public static Set<Protocol> parse(String names) {
		Collection<String> all = Arrays.asList(names.toUpperCase(Locale.ROOT).replace('-', '_').split("[, ]+"));
		return Stream.of(values()).filter((each) -> all.contains(each.name())).collect(Collectors.toUnmodifiableSet());
	}

	/**
	 * Returns the names of protocols, which {@link #parse} reads.
	 * @param protocols the protocols
	 * @return names in lower case, with commas between
	 */
	public static String format(Collection<Protocol> protocols) {
		return protocols.stream()
			.map((each) -> each.name().toLowerCase(Locale.ROOT).replace('_', '-'))
			.sorted()
			.collect(Collectors.joining(","));
	}

}
