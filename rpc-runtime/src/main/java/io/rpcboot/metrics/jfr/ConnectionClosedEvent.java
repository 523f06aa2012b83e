package io.rpcboot.metrics.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/** A connection has ended. */
@Name("io.rpcboot.ConnectionClosed")
@Label("Connection Closed")
@Description("A connection whose handshake had been done has ended")
final class ConnectionClosedEvent extends ConnectionEvent {

	private static final ConnectionClosedEvent ANY = new ConnectionClosedEvent();

	@Label("Reason")
	String reason = "";

	@Label("Lasted")
	@Timespan(Timespan.NANOSECONDS)
	long lasted;

	/** Whether a recording wants such events now. */
	static boolean isWanted() {
		return ANY.isEnabled();
	}

}
