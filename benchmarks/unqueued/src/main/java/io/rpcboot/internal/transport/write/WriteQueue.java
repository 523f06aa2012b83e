package io.rpcboot.internal.transport.write;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.netty.channel.Channel;
import io.rpcboot.internal.transport.frame.FrameSource;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.metrics.TransportRecorder;
import io.rpcboot.metrics.TransportRecorder.FlushReason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands in for the write queue without queueing: each frame is a task of the event loop,
 * a write and a flush of its own. Has the methods of the class of the same name in
 * {@code rpc-runtime} and takes its place in processes whose class path begins with this
 * module. A frame that the event loop makes is written at once.
 */
public final class WriteQueue implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger("rpc.transport");

	private static final int MAX_PULLED = 1024;

	private final Channel channel;

	/** The options of the batches that there are not. */
	public final FlushPolicy policy;

	/** One frame at a time. */
	public final WriteBatch batch;

	/** Set by the protocol of the connection before the first frame. */
	@SuppressWarnings("NullAway.Init")
	public BlockedFrames blocked;

	/** Tasks of frames that have not run; no later frame overtakes them. */
	private final AtomicInteger tasks = new AtomicInteger();

	private final AtomicBoolean scheduled = new AtomicBoolean();

	private @Nullable FrameSource source;

	private volatile boolean sourceHasFrames;

	private volatile boolean ended;

	private long drainNanos;

	/**
	 * Create it.
	 * @param channel where the frames go
	 * @param policy its options
	 * @param recorder records the flushes; null for none
	 */
	public WriteQueue(Channel channel, FlushPolicy policy, @Nullable TransportRecorder recorder) {
		this.channel = channel;
		this.policy = policy;
		this.batch = new WriteBatch(channel, recorder);
	}

	/**
	 * Add the source of the frames that could not be written when they were enqueued.
	 * @param frames read after {@link #pull}
	 */
	public void source(FrameSource frames) {
		this.source = frames;
	}

	/** Let the source be read. Any thread. */
	public void pull() {
		if (this.source != null) {
			this.sourceHasFrames = true;
			schedule();
		}
	}

	/**
	 * Set what runs after each frame.
	 * @param task must not block
	 */
	public void afterBatch(Runnable task) {
		this.batch.afterBatch = task;
	}

	/**
	 * Let the event loop write a frame. Any thread.
	 * @param frame written or rejected by the event loop
	 * @return false if nothing is written any more
	 */
	public boolean enqueue(OutboundFrame frame) {
		if (this.ended) {
			return false;
		}
		try {
			this.tasks.incrementAndGet();
			this.channel.eventLoop().execute(() -> writeOne(frame));
			return true;
		}
		catch (RejectedExecutionException ex) {
			return false;
		}
	}

	private void writeOne(OutboundFrame frame) {
		this.tasks.decrementAndGet();
		if (this.ended) {
			reject(frame);
			return;
		}
		try {
			this.drainNanos = System.nanoTime();
			accept(frame);
			this.batch.afterBatch.run();
		}
		catch (RuntimeException | Error ex) {
			fail(ex);
		}
	}

	/**
	 * Write a frame at once if the caller is the event loop.
	 * @param frame the frame
	 * @param bytes its body
	 * @return whether it was written or skipped
	 */
	public boolean writeNow(OutboundFrame frame, byte[] bytes) {
		if (!this.channel.eventLoop().inEventLoop() || this.ended || frame.length > OutboundFrame.LARGE_BODY
				|| this.tasks.get() > 0 || this.blocked.hasFrames || !this.channel.isWritable()) {
			return false;
		}
		WriteDecision decision = WriteDecision.BLOCKED_BY_SOCKET;
		try {
			decision = frame.beforeWrite(true);
			if (decision == WriteDecision.WRITE) {
				append(frame, bytes);
			}
		}
		catch (RuntimeException | Error ex) {
			fail(ex);
		}
		return decision == WriteDecision.WRITE || decision == WriteDecision.SKIP;
	}

	/** Let the event loop look for frames that were blocked or are in the source. */
	public void schedule() {
		if (this.scheduled.compareAndSet(false, true)) {
			try {
				this.channel.eventLoop().execute(this);
			}
			catch (RejectedExecutionException ex) {
				this.ended = true;
			}
		}
	}

	@Override
	public void run() {
		this.scheduled.set(false);
		if (this.ended) {
			return;
		}
		try {
			this.drainNanos = System.nanoTime();
			if (this.blocked.resumed) {
				this.blocked.write();
			}
			pullFrames();
			this.batch.afterBatch.run();
		}
		catch (RuntimeException | Error ex) {
			fail(ex);
		}
		if (this.blocked.resumed || this.sourceHasFrames) {
			schedule();
		}
	}

	private void pullFrames() {
		FrameSource frames = this.source;
		for (int i = 0; i < MAX_PULLED && frames != null && this.sourceHasFrames; i++) {
			OutboundFrame frame = frames.next();
			if (frame == null) {
				this.sourceHasFrames = false;
				frame = frames.next(); // added before another thread could see the flag
				this.sourceHasFrames = frame != null;
			}
			if (frame != null) {
				accept(frame);
			}
		}
	}

	private void fail(Throwable reason) {
		this.ended = true;
		try {
			this.channel.pipeline().fireExceptionCaught(reason);
		}
		finally {
			this.channel.close();
		}
	}

	/**
	 * Write a frame, or keep it if it is blocked. Event loop only.
	 * @param frame the frame
	 */
	public void accept(OutboundFrame frame) {
		WriteDecision decision = write(frame);
		if (decision != WriteDecision.WRITE) {
			this.blocked.add(frame, decision);
		}
	}

	/**
	 * Write a frame if it may be written. Event loop only.
	 * @param frame the frame
	 * @return its decision
	 */
	public WriteDecision write(OutboundFrame frame) {
		WriteDecision decision = frame.beforeWrite(this.channel.isWritable());
		if (decision == WriteDecision.WRITE) {
			append(frame, frame.body);
		}
		return decision;
	}

	private void append(OutboundFrame frame, byte[] body) {
		this.batch.append(frame, body);
		this.batch.flush(FlushReason.MESSAGES);
	}

	/**
	 * Whether no frame is blocked. Any thread.
	 * @return true if there is none
	 */
	public boolean isIdle() {
		return this.blocked.size() == 0;
	}

	/**
	 * Whether the socket takes more. Event loop only.
	 * @return true if it does
	 */
	public boolean isWritable() {
		return this.channel.isWritable();
	}

	/**
	 * When the current task began. Event loop only.
	 * @return as {@link System#nanoTime()}
	 */
	public long drainNanos() {
		return this.drainNanos;
	}

	/**
	 * Returns the number of writes that the socket has completed. Event loop only.
	 * @return the number
	 */
	public long completedWrites() {
		return this.batch.completedWrites;
	}

	/** Write nothing more. Event loop only. */
	public void end() {
		this.ended = true;
		for (OutboundFrame frame = this.blocked.poll(); frame != null; frame = this.blocked.poll()) {
			reject(frame);
		}
		this.batch.afterBatch.run();
	}

	private static void reject(OutboundFrame frame) {
		try {
			frame.onRejected();
		}
		catch (RuntimeException | Error ex) {
			logFailure(frame, ex);
		}
	}

	static void logFailure(OutboundFrame frame, Throwable cause) {
		logger.error("A {} failed; the others go on", frame, cause);
	}

}
