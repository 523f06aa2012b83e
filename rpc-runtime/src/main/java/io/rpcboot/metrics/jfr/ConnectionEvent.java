package io.rpcboot.metrics.jfr;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;

/** Whose connection an event is about. */
@Category("RPC")
@StackTrace(false)
abstract class ConnectionEvent extends Event {

	@Label("Side")
	String side = "";

	@Label("Peer")
	String peer = "";

	@Label("Application")
	String application = "";

}
