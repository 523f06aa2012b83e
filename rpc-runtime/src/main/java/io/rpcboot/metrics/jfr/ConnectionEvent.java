package io.rpcboot.metrics.jfr;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;

/** Peer of a connection event. */
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
