package io.rpcboot.registry;

/**
 * State of a registry as this process sees it.
 *
 * @since 0.1.0
 */
public enum RegistryState {

	/** Not reached yet, or the registry has always refused this process. */
	CONNECTING,

	/** Reached; lists are current. */
	CONNECTED,

	/**
	 * Unreachable after it was reached, or the registry refuses this process now. The
	 * last lists stay valid.
	 */
	DISCONNECTED,

	/** Closed by the application. */
	CLOSED

}
