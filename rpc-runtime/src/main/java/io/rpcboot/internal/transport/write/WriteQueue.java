package io.rpcboot.internal.transport.write;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

import io.netty.channel.Channel;
import io.rpcboot.internal.transport.eventloop.ResilientEventLoops;
import io.rpcboot.internal.transport.frame.FrameSource;
import io.rpcboot.internal.transport.frame.MpscFrameQueue;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.metrics.TransportRecorder;
import io.rpcboot.metrics.TransportRecorder.FlushReason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue through which all frames of a connection are written. Any thread enqueues;
 * the event loop drains the queue into a batch and flushes it as {@link FlushPolicy}
 * decides.
 * <p>
 * One compare-and-set schedules one drain of at most {@value #MAX_FRAMES_PER_DRAIN}
 * frames. Frames without window or socket space wait in {@link BlockedFrames}. At the end
 * of the queue each waiting frame is rejected exactly once. Afterwards {@link #enqueue}
 * returns false, and does not reject the frame; a frame whose enqueueing ran at the same
 * time as the end is accepted and then rejected.
 */
public final class WriteQueue implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger("rpc.transport");

	private static final int MAX_FRAMES_PER_DRAIN = 1024;

	private static final int IDLE = 0;

	private static final int SCHEDULED = 1;

	private static final int ENDED = 2;

	/** No frame is written any more, because the last one may be incomplete. */
	private static final int FAILED = 3;

	private static final AtomicIntegerFieldUpdater<WriteQueue> STATE = AtomicIntegerFieldUpdater
		.newUpdater(WriteQueue.class, "state");

	private final Channel channel;

	public final FlushPolicy policy;

	public final WriteBatch batch;

	/** Set by the protocol of the connection before the first frame. */
	@SuppressWarnings("NullAway.Init")
	public BlockedFrames blocked;

	private final MpscFrameQueue queued = new MpscFrameQueue();

	private volatile int state = IDLE;

	/** Only in mode ALWAYS. */
	private final @Nullable DelayedFlush delayedFlush;

	private @Nullable FrameSource source;

	/** True if the source may have frames; set by any thread. */
	private volatile boolean sourceHasFrames;

	/** Frames in the batch that waits for another round of the loop, 0 if none waits. */
	private int messagesBeforeRound;

	private long roundsStartedNanos;

	private long drainNanos;

	public WriteQueue(Channel channel, FlushPolicy policy, @Nullable TransportRecorder recorder) {
		this.channel = channel;
		this.policy = policy;
		this.batch = new WriteBatch(channel, recorder);
		this.delayedFlush = (policy.holdNanos > 0) ? new DelayedFlush(channel, policy.holdNanos, this.batch) : null;
	}

	/**
	 * Adds a source of frames, which is read when no enqueued frame is left. Only before
	 * the first frame.
	 * @param source read after {@link #pull} until it has no frame
	 */
	public void source(FrameSource source) {
		this.source = source;
	}

	/**
	 * Schedules a read of the source, which may have frames or may write more. Any
	 * thread.
	 */
	public void pull() {
		if (this.source != null) {
			this.sourceHasFrames = true;
			schedule();
		}
	}

	/**
	 * Sets a task that runs on the event loop after each drain, also one without a flush,
	 * after the write results of a batch, and after the end of the queue. Only before the
	 * first frame.
	 * @param task must not block
	 */
	public void afterBatch(Runnable task) {
		this.batch.afterBatch = task;
	}

	/**
	 * Enqueues a frame. Any thread.
	 * @param frame owned by the queue until {@link OutboundFrame#beforeWrite} returns
	 * WRITE or SKIP, or until it is rejected; after WRITE, a frame that wants the result
	 * is kept until {@link OutboundFrame#onWriteComplete}
	 * @return false, with the frame untouched, if the queue has ended
	 */
	public boolean enqueue(OutboundFrame frame) {
		if (this.state == ENDED) {
			return false;
		}
		this.queued.push(frame);
		schedule();
		return true;
	}

	/**
	 * Writes a frame at once, behind the frames enqueued before; the next drain flushes
	 * it. Saves the copy of the body into an array of the frame's own, which a frame in
	 * the queue needs.
	 * @param frame in no queue
	 * @param bytes hold its body from index 0 on, instead of {@link OutboundFrame#body};
	 * typically the buffer of a serializer, which may be reused afterwards
	 * @return true if the frame was written or skipped; false if the caller has to
	 * enqueue it: the caller is not the event loop, the queue has ended, the body is
	 * large, other frames are blocked, {@value #MAX_FRAMES_PER_DRAIN} frames or more were
	 * enqueued before, another thread is just enqueueing, the socket takes no more,
	 * beforeWrite lets the frame wait, or beforeWrite of this or an earlier frame threw
	 * an exception, which closes the connection. In the last two cases
	 * {@link OutboundFrame#beforeWrite} may have run
	 */
	public boolean writeNow(OutboundFrame frame, byte[] bytes) {
		return this.channel.eventLoop().inEventLoop() && writeInline(frame, bytes);
	}

	private boolean writeInline(OutboundFrame frame, byte[] bytes) {
		if (this.state >= ENDED || frame.length > OutboundFrame.LARGE_BODY) {
			return false;
		}
		WriteDecision decision = WriteDecision.BLOCKED_BY_SOCKET;
		try {
			if (writeQueued()) {
				decision = frame.beforeWrite(true);
			}
			if (decision == WriteDecision.WRITE) {
				append(frame, bytes);
			}
			schedule();
		}
		catch (Throwable ex) {
			fail(ex);
		}
		return decision == WriteDecision.WRITE || decision == WriteDecision.SKIP;
	}

	/**
	 * Writes the enqueued frames. Returns true if none is left and the socket takes more.
	 */
	private boolean writeQueued() {
		for (int i = 0; i < MAX_FRAMES_PER_DRAIN && !this.blocked.hasFrames; i++) {
			OutboundFrame frame = this.queued.poll();
			if (frame == null) {
				return this.queued.isEmpty() && this.channel.isWritable();
			}
			if (i == 0) {
				this.drainNanos = System.nanoTime();
			}
			accept(frame);
		}
		return false;
	}

	/** Schedules a drain. Any thread. */
	public void schedule() {
		if (this.state == IDLE && STATE.compareAndSet(this, IDLE, SCHEDULED)) {
			execute();
		}
		else if (this.state == ENDED) { // read again: the queue may have ended meanwhile
			rejectAll();
		}
	}

	private void execute() {
		try {
			this.channel.eventLoop().execute(this);
		}
		catch (Throwable ex) {
			if (this.channel.eventLoop().isShutdown()) {
				this.state = ENDED;
				rejectAll();
			}
			else {
				fail(ex);
			}
		}
	}

	@Override
	public void run() {
		try {
			if (this.state < ENDED && drain()) {
				execute();
				return;
			}
		}
		catch (Throwable ex) {
			fail(ex);
		}
		STATE.compareAndSet(this, SCHEDULED, IDLE);
		if (!this.queued.isEmpty() || this.blocked.resumed || this.sourceHasFrames || this.state == ENDED) {
			schedule();
		}
	}

	/**
	 * Closes the connection, whose frames may be incomplete. Frames wait in the queue
	 * until its end, which rejects them.
	 */
	private void fail(Throwable reason) {
		if (!STATE.compareAndSet(this, IDLE, FAILED)) {
			STATE.compareAndSet(this, SCHEDULED, FAILED);
		}
		if (this.delayedFlush != null) {
			this.delayedFlush.stop();
		}
		try {
			this.channel.pipeline().fireExceptionCaught(reason);
		}
		catch (Throwable ex) {
			ResilientEventLoops.logSurvived("The end of a connection", ex);
		}
		finally {
			this.channel.close();
		}
	}

	private boolean drain() {
		try {
			return writeAll();
		}
		finally {
			this.batch.afterBatch.run();
		}
	}

	/** Writes frames. Returns true if more frames may be written. */
	private boolean writeAll() {
		this.drainNanos = System.nanoTime();
		if (this.blocked.resumed) {
			this.blocked.write();
		}
		for (int i = 0; i < MAX_FRAMES_PER_DRAIN; i++) {
			OutboundFrame frame = this.queued.poll();
			if (frame == null && this.sourceHasFrames) {
				frame = pulled();
			}
			if (frame == null) {
				return endDrain();
			}
			accept(frame);
		}
		// the drain was long: also MESSAGES, though the batch may be below its limit
		if (this.batch.messages > 0) {
			this.batch.flush(FlushReason.MESSAGES);
		}
		return true;
	}

	/** Returns the next frame of the source, null if it has none. */
	private @Nullable OutboundFrame pulled() {
		FrameSource other = this.source;
		OutboundFrame frame = (other != null) ? other.next() : null;
		if (frame == null && other != null) {
			this.sourceHasFrames = false;
			frame = other.next(); // added before another thread could see the flag
			if (frame != null) {
				this.sourceHasFrames = true;
			}
		}
		return frame;
	}

	/**
	 * Ends a drain of an empty queue. Returns true to drain again after one round of the
	 * loop.
	 */
	private boolean endDrain() {
		int messages = this.batch.messages;
		boolean writable = this.channel.isWritable();
		if (messages > 0 && writable && waitsRound(messages)) {
			this.messagesBeforeRound = messages;
			return true;
		}
		this.messagesBeforeRound = 0;
		if (this.delayedFlush != null) {
			this.delayedFlush.drained();
		}
		else if (messages > 0) {
			this.batch.flush(writable ? FlushReason.DRAINED : FlushReason.UNWRITABLE);
		}
		return false;
	}

	private boolean waitsRound(int messages) {
		int before = this.messagesBeforeRound;
		if (before == 0 || messages < before) {
			this.roundsStartedNanos = this.drainNanos;
			return this.policy.triesRound();
		}
		return this.policy.triesAnotherRound(messages - before, this.drainNanos - this.roundsStartedNanos);
	}

	/** Writes a frame, or blocks it. Event loop only. */
	public void accept(OutboundFrame frame) {
		WriteDecision decision = write(frame);
		if (decision != WriteDecision.WRITE) {
			this.blocked.add(frame, decision);
		}
	}

	/** Writes a frame if its decision is WRITE. Returns the decision. Event loop only. */
	public WriteDecision write(OutboundFrame frame) {
		WriteDecision decision = frame.beforeWrite(this.channel.isWritable());
		if (decision == WriteDecision.WRITE) {
			append(frame, frame.body);
		}
		return decision;
	}

	private void append(OutboundFrame frame, byte[] body) {
		if (this.delayedFlush != null) {
			this.delayedFlush.beforeFrame(frame);
		}
		this.batch.append(frame, body);
		FlushReason reason = this.policy.afterFrame(this.batch.messages, this.batch.bytes);
		if (reason != null) {
			this.drainNanos = System.nanoTime();
			this.batch.flush(reason);
		}
	}

	/** Returns true if no frame waits to be written. Any thread. */
	public boolean isIdle() {
		return this.state == IDLE && this.blocked.size() == 0;
	}

	/**
	 * Returns true if the socket takes more. Event loop only.
	 * @return false from the high water mark of Netty's outbound buffer on (1 MiB by
	 * default) until it is below its low water mark (256 KiB by default)
	 */
	public boolean isWritable() {
		return this.channel.isWritable();
	}

	/**
	 * Returns the time for {@link OutboundFrame#beforeWrite}. The clock is read when a
	 * drain begins and before each flush at a limit. {@link #writeNow} reads it only if
	 * frames were enqueued before, so the time may be that of an earlier drain. Callers
	 * may compare two of these times: equal times mean the same drain, or a writeNow
	 * after it. Event loop only.
	 * @return as {@link System#nanoTime()}
	 */
	public long drainNanos() {
		return this.drainNanos;
	}

	/**
	 * Returns the number of writes that the socket has completed. Event loop only.
	 * @return a number that grows while the peer reads
	 */
	public long completedWrites() {
		return this.batch.completedWrites;
	}

	/** Ends the queue and flushes the batch. Event loop only. Idempotent. */
	public void end() {
		this.state = ENDED;
		rejectAll();
		if (this.batch.messages > 0) {
			this.batch.flush(FlushReason.CLOSE);
		}
		this.batch.afterBatch.run();
	}

	/**
	 * Rejects all frames after the end. Any thread: the event loop, and producers whose
	 * frames arrived late. Safe, because no drain begins after ENDED, so these threads
	 * are the only ones that still take frames, and the lock admits one at a time.
	 */
	private synchronized void rejectAll() {
		for (OutboundFrame frame = this.blocked.poll(); frame != null; frame = this.blocked.poll()) {
			reject(frame);
		}
		for (OutboundFrame frame = this.queued.poll(); frame != null; frame = this.queued.poll()) {
			reject(frame);
		}
	}

	private static void reject(OutboundFrame frame) {
		try {
			frame.onRejected();
		}
		catch (Throwable ex) {
			logFailure(frame, ex);
		}
	}

	static void logFailure(OutboundFrame frame, Throwable cause) {
		try {
			logger.error("A {} failed; the others go on", frame, cause);
		}
		catch (Throwable ex) {
			// the others must end, too
		}
	}

}
