package io.rpcboot.registry;

/** Whether a registry can be reached. */
public enum RegistryState {

	/** Not reached yet, or it does not let this process in. */
	CONNECTING,

	/** Reached; snapshots are current. */
	CONNECTED,

	/**
	 * Used before but not reached now, or it refuses this process; the last good
	 * snapshots hold.
	 */
	DISCONNECTED,

	/** Closed by the application. */
	CLOSED

}
