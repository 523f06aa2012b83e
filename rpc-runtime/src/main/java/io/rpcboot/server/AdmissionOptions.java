package io.rpcboot.server;

import io.rpcboot.transport.Options;

/**
 * Connections that a server takes from clients that it does not know yet. Immutable.
 *
 * <pre>{@code
 * AdmissionOptions.defaults().withTlsHandshakes(1000)
 * }</pre>
 *
 * @since 0.1.0
 */
public final class AdmissionOptions extends Options {

	/** About half a second of work of one core, and 256 times 20 KB. */
	private static final int HANDSHAKES_OF_A_CORE = 256;

	private static final AdmissionOptions DEFAULTS = new AdmissionOptions();

	private int tlsHandshakes = HANDSHAKES_OF_A_CORE * Runtime.getRuntime().availableProcessors();

	private AdmissionOptions() {
	}

	/**
	 * Returns the defaults: 256 TLS handshakes for each core.
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
	 * Returns the maximum of TLS handshakes at the same time.
	 * @return 1 or more
	 */
	public int tlsHandshakes() {
		return this.tlsHandshakes;
	}

}
