package io.rpcboot.metrics.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A connection has ended. */
@Name("io.rpcboot.ConnectionClosed")
@Label("Connection Closed")
@Description("A connection whose handshake had been done has ended")
@Category("RPC")
@StackTrace(false)
final class ConnectionClosedEvent extends Event {

	private static final ConnectionClosedEvent ANY = new ConnectionClosedEvent();

	@Label("Side")
	String side = "";

	@Label("Peer")
	String peer = "";

	@Label("Application")
	String application = "";

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
