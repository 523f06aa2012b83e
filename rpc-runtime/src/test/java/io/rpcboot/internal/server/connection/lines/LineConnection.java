package io.rpcboot.internal.server.connection.lines;

import java.nio.charset.StandardCharsets;
import java.util.List;

import io.rpcboot.context.CallerIdentity;
import io.rpcboot.internal.server.access.CallerProof;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.connection.ServerConnection;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.transport.connection.CallTotals;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.ProtocolHandler;
import io.rpcboot.internal.transport.frame.CallTable;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.write.BlockedFrameQueue;
import io.rpcboot.internal.transport.write.BlockedFrames;
import io.rpcboot.internal.transport.write.WriteQueue;
import org.jspecify.annotations.Nullable;

/** Connection of a client that sends lines. */
final class LineConnection extends ServerConnection implements ProtocolHandler.Listener {

	private final Invocation method;

	/** Lines without a written answer. */
	private final CallTable<LineResponse> open = new CallTable<>();

	private long last;

	private long readNanos;

	LineConnection(Connection connection, ServerResources server, Invocation method) {
		super(connection, server, null);
		this.method = method;
		new Blocked(this.queue, BlockedFrameQueue.create());
	}

	@Override
	public void onOpen() {
		this.life.opened("a line");
		this.life.identity.introduced();
	}

	@Override
	public void onRead(long nanos, long gapNanos) {
		this.readNanos = nanos;
	}

	void onLine(String line) {
		if (!this.life.isIntroduced()) {
			this.life.introduced();
			this.life.ready(this.responder.caller().identity);
		}
		if (this.life.drain.goingAway) {
			return;
		}
		byte[] text = line.getBytes(StandardCharsets.UTF_8);
		LineResponse response = new LineResponse(this, ++this.last);
		ServerCall call = new ServerCall(this.responder, response, this.method, false, text.length, this.readNanos,
				Long.MAX_VALUE);
		response.call = call;
		if (admit(call)) {
			this.open.put(response);
			dispatch(call, text, 0, text.length);
		}
	}

	/** Removes a call: its answer is written or skipped next. */
	void release(LineResponse response) {
		this.open.remove(response.id());
	}

	void say(String text, Runnable afterwards) {
		this.queue.enqueue(LineResponse.notice(this, text, afterwards));
	}

	@Override
	public void onReadComplete() {
		wakeWorkers();
	}

	@Override
	public void onClosed(@Nullable Throwable cause) {
		this.life.closed(cause);
	}

	@Override
	public int maxResponse() {
		return OutboundFrame.LARGE_BODY;
	}

	@Override
	protected boolean isBusy() {
		return this.open.size() > 0;
	}

	@Override
	protected long lastCall() {
		return this.last;
	}

	@Override
	protected CallTotals totals() {
		return new CallTotals(this.last, this.last, 0, 0, this.open.size(), 0, unsent().get());
	}

	@Override
	protected void requestReplacement() {
		say("please connect again", () -> {
		});
	}

	@Override
	protected void announceGoAway(String why) {
		this.life.drain.start();
		say("bye: " + why, () -> {
		});
	}

	@Override
	protected void leave(String why) {
		this.life.drain.start();
		say("bye: " + why, this.life::left);
	}

	@Override
	protected void afterFlush(Runnable task) {
		say("end", task);
	}

	@Override
	protected void closeWithError(String why) {
		this.life.drain.closeWithError(why);
	}

	@Override
	protected void onIdleCheck(boolean isQuiet) {
	}

	@Override
	protected long progress() {
		return this.queue.completedWrites();
	}

	@Override
	protected long blockedBytes() {
		return -1;
	}

	@Override
	protected void onIdentified(CallerIdentity before, CallerProof proof) {
	}

	@Override
	protected void rejectFull(ServerCall call, String why) {
		say(((LineResponse) call.sink).id() + " ! " + why, () -> {
		});
	}

	@Override
	protected void release() {
		this.open.removeIf((response) -> true).forEach((response) -> response.abandon());
	}

	/** Answers that wait for the socket. */
	private static final class Blocked extends BlockedFrames {

		private final BlockedFrameQueue frames;

		Blocked(WriteQueue queue, BlockedFrameQueue frames) {
			super(queue, List.of(frames), List.of());
			this.frames = frames;
		}

		@Override
		protected void add(OutboundFrame frame, WriteDecision decision) {
			if (decision == WriteDecision.BLOCKED_BY_SOCKET) {
				this.frames.add(frame);
			}
			update();
		}

		@Override
		protected void write() {
			this.resumed = false;
			for (int i = this.frames.size(); i > 0; i--) {
				tryAgain(this.frames.take());
			}
			update();
		}

		@Override
		protected void update() {
			this.hasFrames = !this.frames.isEmpty();
		}

	}

}
