package io.rpcboot.server;

import java.time.Instant;

/**
 * Snapshot of the mode and weight of a server, which an operator may change.
 *
 * @param mode the mode
 * @param weight weight in relation to other instances, 1 to 10000
 * @param reason reason of the last change of the mode; empty if it was never changed
 * @param since start of the mode
 * @since 0.1.0
 */
public record RegistrationInfo(Mode mode, int weight, String reason, Instant since) {

	/** Mode of a server towards its clients. */
	public enum Mode {

		/** The server is registered while its application accepts traffic. */
		ONLINE,

		/** The server is not registered. It accepts connections and serves calls. */
		OFFLINE,

		/** The server is not registered, and sends GO_AWAY to every client. */
		DRAINED

	}

}
