package io.rpcboot.registry;

/** Whether a registry can be reached. */
public enum RegistryState {

	/** Not reached yet. */
	CONNECTING,

	/** Reached; snapshots are current. */
	CONNECTED,

	/** Reached before but not now; the last good snapshots hold. */
	DISCONNECTED,

	/** Closed by the application. */
	CLOSED

}
