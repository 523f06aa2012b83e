package io.rpcboot.server;

import java.time.Instant;

/**
 * What an operator has made of a server.
 *
 * @param mode whether clients are meant to call it
 * @param weight share of the calls in relation to other instances, 1 to 10000
 * @param reason who asked for the mode, or why; empty if nobody has
 * @param since when the mode began
 */
public record RegistrationInfo(Mode mode, int weight, String reason, Instant since) {

	/** Whether clients are meant to call a server. */
	public enum Mode {

		/** It is registered while its application takes traffic. */
		ONLINE,

		/** It is not registered. Connections stay and are accepted, calls are served. */
		OFFLINE,

		/** It is not registered, and every client is told to go away. */
		DRAINED

	}

}
