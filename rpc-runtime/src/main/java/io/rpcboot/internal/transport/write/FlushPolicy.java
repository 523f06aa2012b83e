package io.rpcboot.internal.transport.write;

import io.rpcboot.metrics.TransportRecorder.FlushReason;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.BatchingOptions.Mode;
import org.jspecify.annotations.Nullable;

/**
 * When one connection flushes: arithmetic over its recent batches, with no clock of its
 * own. Stop before: write queue; stop after: write queue.
 * <p>
 * In mode AUTO a batch may wait for one more round before it is flushed, as long as each
 * round brings more frames: the write queue comes back behind the tasks that wait on the
 * event loop, while other threads go on to enqueue. Whether a round is worth while is
 * learned: each one moves an average of the frames that it gained. Where rounds gain
 * nothing, as with a lone blocking caller, only one flush in {@link #PROBE_INTERVAL}
 * still tries. Event loop only.
 */
public final class FlushPolicy {

	/** One flush in so many tries a round although the last ones gained nothing. */
	static final int PROBE_INTERVAL = 64;

	/**
	 * A round is tried while it gains so many frames on average. A round costs a tenth of
	 * a flush.
	 */
	private static final float WORTH_WHILE = 0.5f;

	/** Share of the newest round in the average. */
	private static final float WEIGHT = 1 / 8f;

	/** So that one large gain does not outlast many rounds of nothing. */
	private static final int LARGEST_GAIN = 8;

	/** Longest time that AUTO lets pass: rounds that bring frames are shorter by far. */
	private static final long MAX_ROUNDS_NANOS = 50_000;

	private final int maxMessages;

	private final int maxBytes;

	/** Mode ALWAYS: age of a batch that is flushed though no limit is reached; else 0. */
	final long holdNanos;

	private final long maxRoundsNanos;

	/**
	 * What was decided so far, by {@link FlushDecision}. For people, any thread may look.
	 */
	public final long[] decisions = new long[FlushDecision.values().length];

	private float averageGain;

	private int flushesSinceProbe;

	public FlushPolicy(BatchingOptions options) {
		long delay = options.maxDelay().toNanos();
		this.maxMessages = (options.mode() == Mode.NEVER) ? 1 : options.maxMessages();
		this.maxBytes = options.maxBytes();
		this.holdNanos = (options.mode() == Mode.ALWAYS) ? delay : 0;
		this.maxRoundsNanos = (options.mode() == Mode.AUTO) ? Math.min(delay, MAX_ROUNDS_NANOS) : 0;
	}

	/**
	 * Decide after a frame was added.
	 * @param messages frames in the batch
	 * @param bytes bytes in the batch
	 * @return why to flush now, or null to go on
	 */
	@Nullable FlushReason afterFrame(int messages, int bytes) {
		if (messages >= this.maxMessages) {
			return FlushReason.MESSAGES;
		}
		return (bytes >= this.maxBytes) ? FlushReason.BYTES : null;
	}

	/**
	 * Mode AUTO: the queue is empty, the batch is not. Decide whether to wait a round.
	 * @return false to flush now
	 */
	public boolean triesRound() {
		if (this.maxRoundsNanos == 0) {
			return false;
		}
		FlushDecision decision = (this.averageGain >= WORTH_WHILE) ? FlushDecision.WAIT : FlushDecision.GO;
		if (decision == FlushDecision.GO && ++this.flushesSinceProbe == PROBE_INTERVAL) {
			this.flushesSinceProbe = 0;
			decision = FlushDecision.PROBE;
		}
		this.decisions[decision.ordinal()]++;
		return decision != FlushDecision.GO;
	}

	/**
	 * Mode AUTO: a round is over.
	 * @param gained frames that it brought
	 * @param nanos how long the rounds of this batch have taken together
	 * @return true for one more, false to flush now
	 */
	boolean triesAnotherRound(int gained, long nanos) {
		this.averageGain += WEIGHT * (Math.min(gained, LARGEST_GAIN) - this.averageGain);
		return gained > 0 && nanos < this.maxRoundsNanos;
	}

}
