package io.rpcboot.metrics.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/** The end of a connection. */
@Name("io.rpcboot.ConnectionClosed")
@Label("Connection Closed")
@Description("An established connection has ended")
final class ConnectionClosedEvent extends ConnectionEvent {

	private static final ConnectionClosedEvent ANY = new ConnectionClosedEvent();

	@Label("Reason")
	String reason = "";

	@Label("Lasted")
	@Timespan(Timespan.NANOSECONDS)
	long lasted;

	/** Returns true if a recording enables this event. */
	static boolean isWanted() {
		return ANY.isEnabled();
	}

}
