package io.rpcboot.metrics.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The end of a call with streams. */
@Name("io.rpcboot.Stream")
@Label("Stream")
@Description("A call with streams, written at its end")
@Category("RPC")
@StackTrace(false)
final class StreamEvent extends Event {

	private static final StreamEvent ANY = new StreamEvent();

	@Label("Side")
	String side = "";

	@Label("Service")
	String service = "";

	@Label("Method")
	String method = "";

	@Label("Peer")
	String peer = "";

	@Label("Status")
	@Description("Reason of the end: OK if it is complete")
	String status = "";

	@Label("Trace")
	String trace = "";

	@Label("Took")
	@Timespan(Timespan.NANOSECONDS)
	long took;

	@Label("First Element")
	@Description("Time to the first element of the result, -1 without one")
	@Timespan(Timespan.NANOSECONDS)
	long firstElement;

	@Label("Elements of Client")
	long arguments;

	@Label("Bytes of Client")
	@DataAmount
	long argumentBytes;

	@Label("Elements of Server")
	long results;

	@Label("Bytes of Server")
	@DataAmount
	long resultBytes;

	/** Returns true if a recording enables this event. */
	static boolean isWanted() {
		return ANY.isEnabled();
	}

}
