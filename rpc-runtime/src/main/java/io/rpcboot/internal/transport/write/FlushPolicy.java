package io.rpcboot.internal.transport.write;

import io.rpcboot.metrics.TransportRecorder.FlushReason;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.BatchingOptions.Mode;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a connection flushes, from its recent batches and without a clock of its
 * own. Mode ALWAYS always waits for a larger batch, until a limit or the delay; mode
 * NEVER never batches, so each frame is flushed.
 * <p>
 * In mode AUTO a batch may wait for one more round of the event loop as long as each
 * round adds frames: the write queue drains again behind the tasks that are queued on the
 * loop, while other threads enqueue. The policy learns whether rounds pay off:
 * {@code average += (gain - average) / 8}, where the gain is the number of frames that a
 * round added. With an average below 0.5, as with a single blocking caller, one flush in
 * {@value #PROBE_INTERVAL} still waits a round. Event loop only.
 */
public final class FlushPolicy {

	/**
	 * Number of batches without a round after which one batch tries a round, while rounds
	 * do not pay off. Counts decisions about an empty queue, not flushes at a limit.
	 */
	static final int PROBE_INTERVAL = 64;

	/**
	 * Average gain, in frames per round, from which on batches wait. A round costs about
	 * a tenth of a flush, so a round that saves half a flush is worth its cost.
	 */
	private static final float WORTH_WHILE = 0.5f;

	/** Weight of the newest round in the average. */
	private static final float WEIGHT = 1 / 8f;

	/**
	 * Largest gain of a round that counts, so that few empty rounds outweigh a burst. For
	 * example, one large gain raises the average from 0 to 8 * 1/8 = 1, and six empty
	 * rounds lower it to 0.45.
	 */
	private static final int LARGEST_GAIN = 8;

	/**
	 * Limit of the total time of the rounds of a batch in mode AUTO, in addition to the
	 * delay of the options. Usual rounds are much shorter.
	 */
	private static final long MAX_ROUNDS_NANOS = 50_000;

	/** Limit of the frames of a batch; 1 in mode NEVER. */
	private final int maxMessages;

	private final int maxBytes;

	/** Mode ALWAYS: age at which a batch is flushed below its limits; otherwise 0. */
	final long holdNanos;

	/** Mode AUTO: time after which no further round is tried; otherwise 0. */
	private final long maxRoundsNanos;

	/**
	 * Number of decisions by {@link Decision}. Any thread may read it, and may get older
	 * numbers.
	 */
	public final long[] decisions = new long[Decision.values().length];

	/** Moving average of the frames that a round added. */
	private float averageGain;

	private int flushesSinceProbe;

	/** Decision about a batch in mode AUTO when the queue is empty. */
	public enum Decision {

		/** The batch is flushed, because recent rounds added nothing. */
		GO,

		/** The batch waits a round, because recent rounds added frames. */
		WAIT,

		/** The batch waits a round to find out whether rounds add frames now. */
		PROBE

	}

	public FlushPolicy(BatchingOptions options) {
		long delay = options.maxDelay().toNanos();
		this.maxMessages = (options.mode() == Mode.NEVER) ? 1 : options.maxMessages();
		this.maxBytes = options.maxBytes();
		this.holdNanos = (options.mode() == Mode.ALWAYS) ? delay : 0;
		this.maxRoundsNanos = (options.mode() == Mode.AUTO) ? Math.min(delay, MAX_ROUNDS_NANOS) : 0;
	}

	/**
	 * Decides after a frame was added.
	 * @param messages frames in the batch
	 * @param bytes bytes in the batch
	 * @return the reason to flush now, null to continue
	 */
	@Nullable FlushReason afterFrame(int messages, int bytes) {
		if (messages >= this.maxMessages) {
			return FlushReason.MESSAGES;
		}
		return (bytes >= this.maxBytes) ? FlushReason.BYTES : null;
	}

	/**
	 * Decides in mode AUTO whether a batch waits a round, when the queue is empty.
	 * @return false to flush now
	 */
	public boolean triesRound() {
		if (this.maxRoundsNanos == 0) {
			return false;
		}
		Decision decision = (this.averageGain >= WORTH_WHILE) ? Decision.WAIT : Decision.GO;
		if (decision == Decision.GO && ++this.flushesSinceProbe == PROBE_INTERVAL) {
			this.flushesSinceProbe = 0;
			decision = Decision.PROBE;
		}
		this.decisions[decision.ordinal()]++;
		return decision != Decision.GO;
	}

	/**
	 * Decides in mode AUTO after a round.
	 * @param gained frames that the round added
	 * @param nanos total time of the rounds of this batch
	 * @return true for another round, false to flush now
	 */
	boolean triesAnotherRound(int gained, long nanos) {
		this.averageGain += WEIGHT * (Math.min(gained, LARGEST_GAIN) - this.averageGain);
		return gained > 0 && nanos < this.maxRoundsNanos;
	}

}
