package io.rpcboot.internal.server.connection.http1;

import io.rpcboot.internal.server.connection.ServerConnectionDrain;
import io.rpcboot.internal.server.connection.http2.Http2ServerConnection;
import io.rpcboot.internal.transport.http1.Http1Handler;
import io.rpcboot.internal.transport.http2.Http2Handler;

/**
 * Connection of a client that speaks HTTP/1.1.
 *
 * @param calls the connection, as streams see it
 */
record Http1Connection(Http2ServerConnection calls) implements Http1Handler.Owner {

	private ServerConnectionDrain drain() {
		return this.calls.life.drain;
	}

	@Override
	public Http2Handler.Listener frames() {
		return this.calls.frames;
	}

	@Override
	public int maxHead() {
		return this.calls.frames.limits.headerList();
	}

	@Override
	public boolean isIntroduced() {
		return this.calls.life.isIntroduced();
	}

	@Override
	public boolean take(int bytes) {
		return this.calls.memory().take(bytes);
	}

	@Override
	public void release(int bytes) {
		this.calls.memory().release(bytes);
	}

	@Override
	public void onWritten(int bytes) {
		this.calls.onWritten(bytes);
	}

	@Override
	public void afterFlush(Runnable task) {
		this.calls.afterFlush(task);
	}

	@Override
	public boolean isAwaited(int streamId) {
		return this.calls.isAwaited(streamId);
	}

	@Override
	public void answerEarly(int streamId) {
		this.calls.answerEarly(streamId);
	}

	@Override
	public boolean isGoingAway() {
		return drain().goingAway;
	}

	@Override
	public void send(byte[] bytes) {
		this.calls.sendInterim(bytes);
	}

	@Override
	public void refuse(String kind, String problem) {
		drain().warn("Connection closed", "HTTP/1.1: " + kind + ": " + problem);
		drain().rejectAll(problem);
		drain().closeAfterFlush();
	}

	@Override
	public void close() {
		drain().closeOnceFlushed();
	}

	@Override
	public void closeAtOnce(String why) {
		this.calls.closeAtOnce(why);
	}

}
