package io.rpcboot.internal.server.connection.http2;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.server.connection.ConnectionLifecycle;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.http2.Http2Output;

/**
 * Ends a connection in two steps (RFC 9113, section 6.8): the client opens no new
 * streams, then those are known that it had opened meanwhile. Event loop only.
 */
final class GracefulGoAway {

	/** Last stream id of GOAWAY while streams are still served. */
	private static final int ALL_STREAMS = Integer.MAX_VALUE;

	/** Data of the PING between the two GOAWAY. */
	private static final long PING = 0x676f617761790000L;

	/** Longest wait for the acknowledgement of the PING. */
	private static final int PING_MILLIS = 1000;

	private final Connection connection;

	/** Returns the highest id that the client has used. */
	private final IntSupplier lastStream;

	/** Returns true while requests of calls arrive. */
	private final BooleanSupplier awaitsRequests;

	private final ConnectionLifecycle life;

	private final Http2Output output;

	/** True once the first GOAWAY was sent. */
	private boolean leaving;

	/** Highest id of a stream that is served once the second GOAWAY was sent. */
	private int servedStreams = ALL_STREAMS;

	/** True once the second GOAWAY is written. */
	private boolean hasLeft;

	/**
	 * Creates the end of a connection.
	 * @param lastStream returns the highest id that the client has used
	 * @param awaitsRequests returns true while requests of calls arrive
	 */
	GracefulGoAway(Connection connection, ConnectionLifecycle life, Http2Output output, IntSupplier lastStream,
			BooleanSupplier awaitsRequests) {
		this.connection = connection;
		this.life = life;
		this.output = output;
		this.lastStream = lastStream;
		this.awaitsRequests = awaitsRequests;
	}

	/** Takes both steps. */
	void leave(String why) {
		if (this.leaving || this.life.drain.goingAway) { // a later id must not be higher
			return;
		}
		this.leaving = true;
		announce(why);
		this.output.control((writer, out) -> writer.ping(out, PING));
		this.connection.loop().schedule(() -> stopStreams(this.life.whyEnding()), PING_MILLIS, TimeUnit.MILLISECONDS);
	}

	/** Takes the first step: asks the client to open another connection. */
	void announce(String why) {
		this.connection.goesAway();
		this.output.control((writer, out) -> writer.goAway(out, ALL_STREAMS, Http2Error.NO_ERROR, why));
	}

	/** Takes the second step: serves no streams that arrive from now on. */
	void stopStreams(String why) {
		if (this.life.drain.goingAway) {
			return;
		}
		this.connection.goesAway();
		this.life.drain.start();
		this.servedStreams = lastServed();
		this.output.control(goAway(Http2Error.NO_ERROR, why), () -> {
			this.hasLeft = true;
			onStreamEnded();
		});
	}

	/** Handles the acknowledgement of a PING, which may be that between the steps. */
	void onPingAck(long data) {
		if (data == PING && this.leaving) {
			stopStreams(this.life.whyEnding());
		}
	}

	/**
	 * Sends GOAWAY because of an error; the streams that it names may have been served.
	 */
	void send(Http2Error error, String why) {
		this.output.control(goAway(error, why));
	}

	private Http2Output.Encoder goAway(Http2Error error, String why) {
		int last = lastServed();
		return (writer, out) -> writer.goAway(out, last, error, why);
	}

	/** Returns the highest id of a stream that is served. */
	private int lastServed() {
		return Math.min(this.servedStreams, this.lastStream.getAsInt());
	}

	/**
	 * Reports that no call is added: the client knows which streams are served, and the
	 * requests of these have arrived.
	 */
	void onStreamEnded() {
		if (this.hasLeft && !this.awaitsRequests.getAsBoolean()) {
			this.life.left();
		}
	}

}
