package io.rpcboot.internal.cluster;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

import io.rpcboot.internal.cluster.InstanceOutlierStats.Phase;
import io.rpcboot.resilience.EjectionOptions;
import io.rpcboot.transport.Options;

/**
 * Decides which instances of a reference leave the choice, and when they come back. Each
 * is compared with the others, method by method. Confined to one thread.
 */
public final class OutlierDetector {

	/** Between two looks. */
	public static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	/** A call counts 1/e after this time. */
	private static final double FADE_NANOS = TimeUnit.SECONDS.toNanos(5);

	/** An instance that is sick again within this time has not been well. */
	private static final long WELL_NANOS = TimeUnit.SECONDS.toNanos(30);

	private static final long RETURN_NANOS = TimeUnit.SECONDS.toNanos(3);

	/** A probe that was cancelled says nothing: after this time another call goes. */
	private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(5);

	/** As long one waits for a call that only stood still. */
	private static final long UNSEEN_LOOKS = PROBE_NANOS / LOOK_NANOS;

	/** One that answers every second call passes one such row in 32. */
	private static final int GOOD_PROBES = 5;

	private static final double DOUBTFUL = 0.2;

	private static final double JITTER = 0.1;

	private static final int PERCENT = 100;

	private static final String STOOD_STILL = "it stood still";

	private final EjectionOptions options;

	private final DoubleSupplier random;

	private final long minPauseNanos;

	private final long maxPauseNanos;

	private long lookedNanos;

	private boolean hasLooked;

	/**
	 * For one reference.
	 * @param options the bounds
	 * @param random 0 to 1, for pauses
	 */
	public OutlierDetector(EjectionOptions options, DoubleSupplier random) {
		this.options = options;
		this.random = random;
		this.minPauseNanos = Options.nanos(options.minPause());
		this.maxPauseNanos = Options.nanos(options.maxPause());
	}

	/** Told of what people should know. */
	public interface Listener {

		/**
		 * An instance has left the choice, but for calls that see how it goes.
		 * @param instance which one
		 */
		void left(InstanceOutlierStats instance);

		/**
		 * An instance takes calls again.
		 * @param instance which one
		 */
		void isBack(InstanceOutlierStats instance);

	}

	/**
	 * What is kept of the calls that were counted at the last look. To be called before
	 * those since then are added.
	 * @param nowNanos the time
	 * @return 0 to 1
	 */
	public double kept(long nowNanos) {
		double kept = this.hasLooked ? Math.exp(-Math.max(0, nowNanos - this.lookedNanos) / FADE_NANOS) : 1;
		this.lookedNanos = nowNanos;
		this.hasLooked = true;
		return kept;
	}

	/**
	 * Look at all instances that are connected.
	 * @param all the instances
	 * @param now as {@link System#nanoTime()}
	 * @param listener told of each that leaves or is back
	 * @return whether another list of instances takes calls now, or with other weights
	 */
	public boolean look(List<InstanceOutlierStats> all, long now, Listener listener) {
		OutlierComparison comparison = new OutlierComparison(this.options, all);
		boolean changed = false;
		int out = 0;
		for (InstanceOutlierStats each : all) {
			changed |= advance(each, comparison, now, listener);
			out += each.isOut() ? 1 : 0;
		}
		int most = Math.min(all.size() - 1, Math.max(1, all.size() * this.options.mostPercent() / PERCENT));
		for (int i = 0; i < all.size() && out < most && this.options.isEnabled(); i++) {
			if (!all.get(i).isOut() && ejectIfSick(all.get(i), comparison, now, listener)) {
				out++;
				changed = true;
			}
		}
		return changed;
	}

	/**
	 * An instance stands still at this look: no call goes there, whatever is concluded
	 * here. When it is heard again it gets one to see how it goes, and not its whole
	 * share: a way that has lost much may do so again.
	 * @param instance which one
	 * @param now as {@link System#nanoTime()}
	 */
	public void standsStill(InstanceOutlierStats instance, long now) {
		boolean since = instance.isOut() && instance.why().equals(STOOD_STILL);
		if (this.options.isEnabled() && (since || !instance.isOut())) {
			instance.leaves(STOOD_STILL, true, false, now);
			instance.enters(Phase.PROBING, 0, now);
		}
	}

	/**
	 * Whether so many calls fail that others should be asked, too, to compare with. After
	 * a look, which says what is overdue.
	 * @param all the instances that are connected
	 * @return true if a fifth of the recent calls failed
	 */
	public static boolean areFailing(List<InstanceOutlierStats> all) {
		double calls = 0;
		double failures = 0;
		for (InstanceOutlierStats each : all) {
			calls += each.total(InstanceOutlierStats.CALLS);
			failures += each.total(InstanceOutlierStats.FAILURES);
		}
		return calls >= OutlierComparison.LEAST_CALLS && failures >= DOUBTFUL * calls;
	}

	private boolean ejectIfSick(InstanceOutlierStats each, OutlierComparison comparison, long now, Listener listener) {
		String failing = comparison.failing(each);
		String why = (failing != null) ? failing : comparison.slow(each);
		if (why == null) {
			return false;
		}
		boolean returning = each.phase() == Phase.RETURNING;
		boolean again = !each.why().isEmpty() && (returning || now - each.sinceNanos() < WELL_NANOS);
		each.leaves(why, failing == null || each.overdue() > 0, again, now);
		each.enters(Phase.OUT, pause(each, now), now);
		listener.left(each);
		return true;
	}

	private long pause(InstanceOutlierStats each, long now) {
		long third = (now - each.sickSinceNanos()) / 3;
		long pause = Math.max(this.minPauseNanos, Math.min(this.maxPauseNanos, third));
		return (long) (pause * (1 - JITTER * this.random.getAsDouble()));
	}

	/** Returns whether something has changed. */
	private boolean advance(InstanceOutlierStats each, OutlierComparison comparison, long now, Listener listener) {
		switch (each.phase()) {
			case IN -> {
				return false;
			}
			case RETURNING -> {
				if (each.isPhaseOver(now)) {
					each.enters(Phase.IN, 0, now);
				}
				return true; // its share has grown
			}
			case OUT -> {
				boolean over = each.isPhaseOver(now) || !this.options.isEnabled();
				if (over) {
					each.enters(Phase.PROBING, 0, now);
				}
				return over;
			}
			default -> {
				return judgeProbe(each, comparison, now, listener);
			}
		}
	}

	private boolean judgeProbe(InstanceOutlierStats each, OutlierComparison comparison, long now, Listener listener) {
		if (each.why().equals(STOOD_STILL) && each.unseen() >= UNSEEN_LOOKS) {
			// one-way calls say nothing, and others may never come
			returns(each, now, listener);
			return true;
		}
		boolean late = each.isProbeOverdue() || (each.isSlow() && comparison.isSlow(each));
		if (!each.isProbed() || (each.ended(InstanceOutlierStats.CALLS) == 0 && !late)) {
			return each.probeAgain(now, PROBE_NANOS);
		}
		if (late || each.ended(InstanceOutlierStats.FAILURES) > 0) {
			each.enters(Phase.OUT, pause(each, now), now);
		}
		else if (each.goodProbe() >= GOOD_PROBES) {
			returns(each, now, listener);
		}
		return true;
	}

	private static void returns(InstanceOutlierStats each, long now, Listener listener) {
		each.enters(Phase.RETURNING, RETURN_NANOS, now);
		listener.isBack(each);
	}

}
