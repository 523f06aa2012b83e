package io.rpcboot.metrics.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The end of a slow call. */
@Name("io.rpcboot.SlowCall")
@Label("Slow Call")
@Description("A remote call that took at least the threshold, written at its end")
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

	@Label("Waited")
	@Description("Part of the time before a thread of the server started it, or the client wrote it")
	@Timespan(Timespan.NANOSECONDS)
	long waited;

	@Label("Message")
	@Description("Message of a failed call, 300 characters at most")
	String message = "";

	@Label("Exception")
	@Description("Class of the exception that the implementation has thrown, if the server exposes it")
	String exception = "";

	/** Returns true if a recording enables this event. */
	static boolean isWanted() {
		return ANY.isEnabled();
	}

}
