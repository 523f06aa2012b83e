package io.rpcboot.metrics.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/** A connect, successful or failed. */
@Name("io.rpcboot.Connect")
@Label("Connect")
@Description("A connection whose handshake is done, or that failed")
final class ConnectEvent extends ConnectionEvent {

	private static final ConnectEvent ANY = new ConnectEvent();

	@Label("Problem")
	@Description("Reason of the failure, empty if the connection is established")
	String problem = "";

	@Label("Took")
	@Timespan(Timespan.NANOSECONDS)
	long took;

	/** Returns true if a recording enables this event. */
	static boolean isWanted() {
		return ANY.isEnabled();
	}

}
