package io.rpcboot.internal.transport.write;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

import io.netty.channel.Channel;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.internal.transport.eventloop.RecoveryTask;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.metrics.TransportRecorder;
import io.rpcboot.metrics.TransportRecorder.FlushReason;
import org.jspecify.annotations.Nullable;

/**
 * The one way out of a connection: any thread enqueues, the event loop drains. Stop
 * before: client call or server call; stop after: the wire.
 * <p>
 * One compare-and-set schedules one drain, which takes a bounded amount into a batch and
 * decides when that is flushed. The event loop itself may write behind what is enqueued.
 * Frames that may not go yet, for lack of a grant or of room in the socket, are held in
 * their order ({@link BlockedFrames}). After the end of the queue every frame is rejected
 * exactly once.
 */
public final class WriteQueue extends BlockedFrames implements Runnable {

	static final int MAX_FRAMES_PER_DRAIN = 1024;

	private static final int IDLE = 0;

	private static final int SCHEDULED = 1;

	static final int ENDED = 2;

	private static final AtomicIntegerFieldUpdater<WriteQueue> STATE = AtomicIntegerFieldUpdater
		.newUpdater(WriteQueue.class, "state");

	final Channel channel;

	public final FlushPolicy policy;

	public final WriteBatch batch;

	volatile int state = IDLE;

	public final RecoveryTask trouble;

	/** Only in mode ALWAYS. */
	private final @Nullable DelayedFlush timing;

	/** Frames in the batch that waits for the loop to go round, 0 if none does. */
	private int messagesBeforeRound;

	private long roundsStartedNanos;

	long drainNanos;

	public WriteQueue(Channel channel, FlushPolicy policy, @Nullable TransportRecorder recorder) {
		this.channel = channel;
		this.policy = policy;
		this.batch = new WriteBatch(channel, recorder);
		this.trouble = new RecoveryTask(channel, this, EventLoopThread.pulse());
		this.timing = (policy.holdNanos > 0) ? new DelayedFlush(channel, policy.holdNanos, this.batch) : null;
	}

	/**
	 * Enqueue a frame. Any thread.
	 * @param frame belongs to the queue until its {@code begin} or {@code rejected}
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
	 * Write a frame at once, behind those enqueued before; the next drain flushes it.
	 * @param frame enqueued nowhere
	 * @param bytes hold its body from index 0, and are free again afterwards
	 * @return false, with the frame untouched, if it has to be enqueued: on another
	 * thread than the event loop, after the end, if others wait, if it is large
	 */
	public boolean writeNow(OutboundFrame frame, byte[] bytes) {
		return this.channel.eventLoop().inEventLoop() && InlineWrites.write(this, frame, bytes);
	}

	@Override
	void schedule() {
		if (this.state == IDLE && STATE.compareAndSet(this, IDLE, SCHEDULED)) {
			execute();
		}
		else if (this.state == ENDED) { // read again: it may have ended meanwhile
			rejectAll();
		}
	}

	private void execute() {
		try {
			this.channel.eventLoop().execute(this);
		}
		catch (RejectedExecutionException ex) {
			this.state = ENDED;
			rejectAll();
		}
		catch (Error ex) {
			this.trouble.drainLater(ex);
		}
	}

	@Override
	public void run() {
		try {
			if (this.state != ENDED && drain()) {
				execute();
				return;
			}
		}
		catch (RuntimeException | Error ex) {
			this.trouble.end(ex);
		}
		STATE.compareAndSet(this, SCHEDULED, IDLE);
		if (!this.queued.isEmpty() || this.resumed || this.sourceHasFrames || this.state == ENDED) {
			schedule();
		}
	}

	/**
	 * Whether the socket takes more. Event loop only.
	 * @return false until some of what waits in it has left
	 */
	public boolean isWritable() {
		return this.channel.isWritable();
	}

	/**
	 * Do something after each drain, and when the frames of a batch have their outcome.
	 * Runs on the event loop. To be called before the first frame.
	 * @param task what to do
	 */
	public void afterBatch(Runnable task) {
		this.batch.afterBatch = task;
	}

	/**
	 * The clock of {@link OutboundFrame#beforeWrite}: read once for all frames that are
	 * taken together. Event loop only.
	 * @return as {@link System#nanoTime()}
	 */
	public long drainNanos() {
		return this.drainNanos;
	}

	/**
	 * Writes that the socket has taken so far. Event loop only.
	 * @return a number that grows while the other side reads
	 */
	public long completedWrites() {
		return this.batch.completedWrites;
	}

	private boolean drain() {
		try {
			return writeAll();
		}
		finally {
			this.batch.afterBatch.run();
		}
	}

	/** Write what may go. Returns whether more is waiting that may go. */
	private boolean writeAll() {
		this.drainNanos = System.nanoTime();
		if (this.resumed) {
			writeBacklog();
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
		if (this.batch.messages > 0) {
			this.batch.flush(FlushReason.MESSAGES);
		}
		return true;
	}

	/** The queue is empty. Returns whether to come back after a round of the loop. */
	private boolean endDrain() {
		int messages = this.batch.messages;
		boolean writable = this.channel.isWritable();
		if (messages > 0 && writable && waitsRound(messages)) {
			this.messagesBeforeRound = messages;
			return true;
		}
		this.messagesBeforeRound = 0;
		if (this.timing != null) {
			this.timing.drained();
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

	public void accept(OutboundFrame frame) {
		WriteDecision admission = write(frame);
		if (admission != WriteDecision.WRITE) {
			block(frame, admission);
		}
	}

	@Override
	WriteDecision write(OutboundFrame frame) {
		WriteDecision admission = frame.beforeWrite(this.channel.isWritable());
		if (admission == WriteDecision.WRITE) {
			append(frame, frame.body);
		}
		return admission;
	}

	void append(OutboundFrame frame, byte[] body) {
		if (this.timing != null) {
			this.timing.beforeFrame(frame.type);
		}
		this.batch.append(frame, body);
		FlushReason reason = this.policy.afterFrame(this.batch.messages, this.batch.bytes);
		if (reason != null) {
			this.drainNanos = System.nanoTime();
			this.batch.flush(reason);
		}
	}

	/** End the queue, flush what is composed. Event loop only; twice does nothing. */
	public void end() {
		this.state = ENDED;
		rejectAll();
		if (this.batch.messages > 0) {
			this.batch.flush(FlushReason.CLOSE);
		}
		this.batch.afterBatch.run();
	}

}
