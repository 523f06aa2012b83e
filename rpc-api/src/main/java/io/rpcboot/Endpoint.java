package io.rpcboot;

/**
 * Address of a server: host and port.
 *
 * <pre>{@code
 * Endpoint.parse("users.example.com:7654");
 * Endpoint.parse("[2001:db8::1]:7654");
 * }</pre>
 *
 * @param host host name or IP address; IPv6 without brackets
 * @param port 1 to 65535
 * @since 0.1.0
 */
public record Endpoint(String host, int port) {

	/**
	 * Creates an endpoint.
	 * @throws RpcConfigurationException if the host is blank or the port out of range
	 */
	public Endpoint {
		if (host.isBlank() || port < 1 || port > 65535) {
			throw new RpcConfigurationException(
					"endpoint: '%s:%d' (expected: host:port with a port from 1 to 65535)".formatted(host, port),
					"Correct the address.");
		}
	}

	/**
	 * Parses {@code host:port} or {@code [ipv6]:port}.
	 * @param text the text
	 * @return the endpoint
	 * @throws RpcConfigurationException if the text has neither form
	 */
	public static Endpoint parse(String text) {
		int colon = text.lastIndexOf(':');
		try {
			String host = text.substring(0, Math.max(colon, 0));
			if (host.startsWith("[") && host.endsWith("]")) {
				host = host.substring(1, host.length() - 1);
			}
			else if (host.indexOf(':') >= 0) {
				throw new NumberFormatException("IPv6 without brackets");
			}
			return new Endpoint(host, Integer.parseInt(text.substring(colon + 1)));
		}
		catch (NumberFormatException ex) {
			throw new RpcConfigurationException("endpoint: '%s' (expected: host:port or [ipv6]:port)".formatted(text),
					"Correct the address.", ex);
		}
	}

	/**
	 * Returns the text that {@link #parse} reads.
	 * @return {@code host:port} or {@code [ipv6]:port}
	 */
	@Override
	public String toString() {
		return ((this.host.indexOf(':') >= 0) ? "[" + this.host + "]" : this.host) + ":" + this.port;
	}

}
