package io.rpcboot.metrics.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A call that took long has ended. */
@Name("io.rpcboot.SlowCall")
@Label("Slow Call")
@Description("A remote call that took as long as the threshold or longer, written when it ended")
@Category("RPC")
@StackTrace(false)
final class SlowCallEvent extends Event {

	private static final SlowCallEvent ANY = new SlowCallEvent();

	@Label("Side")
	String side = "";

	@Label("Service")
	String service = "";

	@Label("Method")
	String method = "";

	@Label("Peer")
	String peer = "";

	@Label("Status")
	String status = "";

	@Label("Trace")
	String trace = "";

	@Label("Took")
	@Timespan(Timespan.NANOSECONDS)
	long took;

	/** Whether a recording wants such events now. */
	static boolean isWanted() {
		return ANY.isEnabled();
	}

}
