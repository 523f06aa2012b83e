package io.rpcboot.metrics.jfr;

import io.rpcboot.Side;
import io.rpcboot.metrics.TransportRecorder;

/** Writes connects and ends of connections of one side. */
final class ConnectionEvents implements TransportRecorder {

	private final String side;

	ConnectionEvents(Side side) {
		this.side = side.name();
	}

	@Override
	public void connectionOpened(String remote, String application, long nanos) {
		connect(remote, application, "", nanos);
	}

	@Override
	public void connectFailed(String remote, String why, long nanos) {
		connect(remote, "", why, nanos);
	}

	private void connect(String remote, String application, String problem, long nanos) {
		if (ConnectEvent.isWanted()) {
			ConnectEvent event = new ConnectEvent();
			event.side = this.side;
			event.peer = remote;
			event.application = application;
			event.problem = problem;
			event.took = nanos;
			event.commit();
		}
	}

	@Override
	public void connectionClosed(String remote, String application, String why, long nanos) {
		if (ConnectionClosedEvent.isWanted()) {
			ConnectionClosedEvent event = new ConnectionClosedEvent();
			event.side = this.side;
			event.peer = remote;
			event.application = application;
			event.reason = why;
			event.lasted = nanos;
			event.commit();
		}
	}

}
