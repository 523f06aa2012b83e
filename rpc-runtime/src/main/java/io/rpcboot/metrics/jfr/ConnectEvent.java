package io.rpcboot.metrics.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/** A connection was made, or not. */
@Name("io.rpcboot.Connect")
@Label("Connect")
@Description("A connection whose handshake is done, or that could not be made")
final class ConnectEvent extends ConnectionEvent {

	private static final ConnectEvent ANY = new ConnectEvent();

	@Label("Problem")
	@Description("Why there is no connection, empty if there is one")
	String problem = "";

	@Label("Took")
	@Timespan(Timespan.NANOSECONDS)
	long took;

	/** Whether a recording wants such events now. */
	static boolean isWanted() {
		return ANY.isEnabled();
	}

}
