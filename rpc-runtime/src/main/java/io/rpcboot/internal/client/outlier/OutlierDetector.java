package io.rpcboot.internal.client.outlier;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.IntFunction;

import io.rpcboot.internal.client.outlier.InstanceOutlierStats.Phase;
import io.rpcboot.resilience.EjectionOptions;
import io.rpcboot.transport.Options;

/**
 * Outlier detection for one reference: ejects instances that fail or are slow compared
 * with the others, and returns them after successful probes. After Envoy's outlier
 * detection; here instances are compared method by method. One thread only.
 */
public final class OutlierDetector {

	/** Time between two checks. */
	public static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	/** Time after which a call counts 1/e. */
	private static final double FADE_NANOS = TimeUnit.SECONDS.toNanos(5);

	/** Time within which another ejection continues the last one. */
	private static final long WELL_NANOS = TimeUnit.SECONDS.toNanos(30);

	/** Duration of the slow start after an ejection. */
	private static final long RETURN_NANOS = TimeUnit.SECONDS.toNanos(3);

	/** Time after which a probe without an outcome, as a cancelled one, is repeated. */
	private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(5);

	/**
	 * Checks without a probe after which an instance returns that only hung, or that is
	 * well for other references.
	 */
	private static final long UNSEEN_CHECKS = PROBE_NANOS / LOOK_NANOS;

	/** Successful probes before the return; with 50 % failures 1 of 32 rows pass. */
	private static final int GOOD_PROBES = 5;

	/** Failure rate from which on other instances are needed for a comparison. */
	private static final double DOUBTFUL = 0.2;

	private static final double JITTER = 0.1;

	private static final int PERCENT = 100;

	private final EjectionOptions options;

	private final DoubleSupplier random;

	private final IntFunction<String> methods;

	private final long minPauseNanos;

	private final long maxPauseNanos;

	private long lookedNanos;

	private boolean hasLooked;

	/**
	 * Creates a detector.
	 * @param options the bounds
	 * @param random 0 to 1, for the jitter of pauses
	 * @param methods returns the name of a method by its number, for messages
	 */
	public OutlierDetector(EjectionOptions options, DoubleSupplier random, IntFunction<String> methods) {
		this.options = options;
		this.methods = methods;
		this.random = random;
		this.minPauseNanos = Options.nanos(options.minPause());
		this.maxPauseNanos = Options.nanos(options.maxPause());
	}

	/** Notified of ejections and returns. */
	public interface Listener {

		/**
		 * Called when an instance is ejected.
		 * @param instance the instance
		 */
		void left(InstanceOutlierStats instance);

		/**
		 * Called when an instance gets calls again.
		 * @param instance the instance
		 */
		void isBack(InstanceOutlierStats instance);

	}

	/**
	 * Returns the factor by which the sums of the last check fade:
	 * {@code exp(-elapsed / 5 s)}; 1 at the first check. Records the time of this check,
	 * so call it once a check, before newer calls are added.
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
	 * Checks all connected instances.
	 * @param all the instances
	 * @param now as {@link System#nanoTime()}
	 * @param listener notified of ejections and returns
	 * @return true if other instances get calls now, or other shares of calls
	 */
	public boolean look(List<InstanceOutlierStats> all, long now, Listener listener) {
		OutlierComparison comparison = new OutlierComparison(this.options, this.methods, all);
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
	 * Records that an instance hangs at this check and gets no calls. When it answers
	 * again it gets probes before its whole share, because a lossy path may fail again.
	 * @param instance the instance
	 * @param now as {@link System#nanoTime()}
	 */
	public void standsStill(InstanceOutlierStats instance, long now) {
		boolean since = instance.isOut() && instance.stoodStill();
		if (this.options.isEnabled() && (since || !instance.isOut())) {
			instance.leavesStandingStill(now);
			instance.enters(Phase.PROBING, 0, now);
		}
	}

	/**
	 * Returns true if a fifth of the recent calls failed, so that more instances are
	 * needed for a comparison. Called after a check, which finds overdue calls.
	 * @param all the connected instances
	 * @return false if fewer calls failed
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

	/** Advances the phase of an instance. Returns true if its share has changed. */
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
		boolean late = each.isProbeOverdue() || (each.isSlow() && comparison.isSlow(each));
		if (each.unseen() >= UNSEEN_CHECKS && (each.stoodStill() || (!late && isWellForOthers(each, comparison)))) {
			// one-way calls have no outcome, and other calls may never be made
			returns(each, now, listener);
			return true;
		}
		if (!each.isProbed() || (each.ended(InstanceOutlierStats.CALLS) == 0 && !late)) {
			return each.probeAgain(now, PROBE_NANOS);
		}
		if (late || hasFailed(each, comparison)) {
			each.enters(Phase.OUT, pause(each, now), now);
		}
		else if (each.goodProbe() >= GOOD_PROBES) {
			returns(each, now, listener);
		}
		return true;
	}

	/**
	 * Returns true if calls of other references to the service show that an instance is
	 * well. Without calls of its own a reference makes no probes.
	 */
	private static boolean isWellForOthers(InstanceOutlierStats each, OutlierComparison comparison) {
		return each.ended(InstanceOutlierStats.CALLS) >= OutlierComparison.LEAST_CALLS
				&& comparison.failing(each) == null && comparison.slow(each) == null;
	}

	/**
	 * Returns true if a probe has failed. With many calls beside it, which are those of
	 * other references, the usual comparison decides.
	 */
	private static boolean hasFailed(InstanceOutlierStats each, OutlierComparison comparison) {
		return (each.ended(InstanceOutlierStats.CALLS) < OutlierComparison.LEAST_CALLS)
				? each.ended(InstanceOutlierStats.FAILURES) > 0 : comparison.failing(each) != null;
	}

	private static void returns(InstanceOutlierStats each, long now, Listener listener) {
		each.enters(Phase.RETURNING, RETURN_NANOS, now);
		listener.isBack(each);
	}

}
