package io.rpcboot.server;

import java.util.List;

import io.rpcboot.internal.net.AddressRange;
import io.rpcboot.transport.Options;

/**
 * Connections that a server takes from clients that it does not know yet. Immutable.
 *
 * <pre>{@code
 * AdmissionOptions.defaults().withAllowed(List.of("10.0.0.0/8", "fd00::/8"))
 * }</pre>
 *
 * @since 0.1.0
 */
public final class AdmissionOptions extends Options {

	/** About half a second of work of one core; 11 KB of heap each. */
	private static final int HANDSHAKES_OF_A_CORE = 256;

	private static final AdmissionOptions DEFAULTS = new AdmissionOptions();

	private int tlsHandshakes = HANDSHAKES_OF_A_CORE * Runtime.getRuntime().availableProcessors();

	private List<String> allowed = List.of();

	private List<String> denied = List.of();

	private List<String> proxies = List.of();

	private AdmissionOptions() {
	}

	/**
	 * Returns the defaults: 256 TLS handshakes for each core, all addresses, no proxies.
	 * @return the defaults
	 */
	public static AdmissionOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Returns options with another maximum of TLS handshakes at the same time. Others
	 * wait for the end of one. While one waits, a client that is silent for 250 ms loses
	 * its place and its connection.
	 * @param handshakes 1 or more
	 * @return changed options
	 * @throws io.rpcboot.RpcConfigurationException if the number is less than 1
	 */
	public AdmissionOptions withTlsHandshakes(int handshakes) {
		require(handshakes >= 1, "limits.tls-handshakes", handshakes, "1 or more");
		return copy((changed) -> changed.tlsHandshakes = handshakes);
	}

	/**
	 * Returns options that serve certain addresses alone. Others lose their connection
	 * when it is accepted.
	 * @param addresses addresses and ranges, such as {@code 10.1.2.3}, {@code 10.0.0.0/8}
	 * or {@code fd00::/8}; empty for all
	 * @return changed options
	 * @throws io.rpcboot.RpcConfigurationException if one is invalid
	 */
	public AdmissionOptions withAllowed(List<String> addresses) {
		AddressRange.parseAll("address-filter.allow", addresses);
		return copy((changed) -> changed.allowed = List.copyOf(addresses));
	}

	/**
	 * Returns options that do not serve certain addresses, even if they are allowed.
	 * @param addresses addresses and ranges, as of {@link #withAllowed}
	 * @return changed options
	 * @throws io.rpcboot.RpcConfigurationException if one is invalid
	 */
	public AdmissionOptions withDenied(List<String> addresses) {
		AddressRange.parseAll("address-filter.deny", addresses);
		return copy((changed) -> changed.denied = List.copyOf(addresses));
	}

	/**
	 * Returns options with proxies that send a header of the PROXY protocol, version 2,
	 * before all other bytes. Limits, lists of addresses and logs see the client that the
	 * header names. A proxy without a header loses its connection.
	 * @param addresses addresses and ranges, as of {@link #withAllowed}; empty for none
	 * @return changed options
	 * @throws io.rpcboot.RpcConfigurationException if one is invalid
	 */
	public AdmissionOptions withProxies(List<String> addresses) {
		AddressRange.parseAll("proxy-protocol.from", addresses);
		return copy((changed) -> changed.proxies = List.copyOf(addresses));
	}

	/**
	 * Returns the maximum of TLS handshakes at the same time.
	 * @return 1 or more
	 */
	public int tlsHandshakes() {
		return this.tlsHandshakes;
	}

	/**
	 * Returns the addresses that are served.
	 * @return addresses and ranges as configured, empty for all
	 */
	public List<String> allowed() {
		return this.allowed;
	}

	/**
	 * Returns the addresses that are not served.
	 * @return addresses and ranges as configured
	 */
	public List<String> denied() {
		return this.denied;
	}

	/**
	 * Returns the proxies that send headers of the PROXY protocol.
	 * @return addresses and ranges as configured
	 */
	public List<String> proxies() {
		return this.proxies;
	}

}
