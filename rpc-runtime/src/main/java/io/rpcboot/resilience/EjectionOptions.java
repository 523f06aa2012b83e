package io.rpcboot.resilience;

import java.time.Duration;

import io.rpcboot.transport.Options;

/**
 * When an instance leaves the choice because its calls go badly. It is compared with the
 * other instances of the same service: what fails, hangs or is slow everywhere ejects
 * nobody. Immutable.
 */
public final class EjectionOptions extends Options {

	private static final EjectionOptions DEFAULTS = new EjectionOptions();

	private static final int PERCENT = 100;

	private boolean enabled = true;

	private int failuresInARow = 5;

	private double slowness = 3;

	private Duration leastSlowness = Duration.ofMillis(10);

	private int mostPercent = 30;

	private Duration minPause = Duration.ofSeconds(1);

	private Duration maxPause = Duration.ofSeconds(30);

	private EjectionOptions() {
	}

	/**
	 * The defaults:
	 * <ul>
	 * <li>enabled;
	 * <li>5 failures in a row, so that a single lost answer is no verdict. Beside it a
	 * rate of failures counts that is, with 99 % certainty, 5 points above that of the
	 * others;
	 * <li>slowness 3, and 10 ms: less than that few callers notice, and busy hosts differ
	 * by as much;
	 * <li>30 % of the instances at most, so that those that are left are not overrun;
	 * <li>pauses from 1 s to 30 s.
	 * </ul>
	 * @return the defaults
	 */
	public static EjectionOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Switch it on or off.
	 * @param enabled false to let every instance that is connected take calls
	 * @return changed options
	 */
	public EjectionOptions withEnabled(boolean enabled) {
		return copy((changed) -> changed.enabled = enabled);
	}

	/**
	 * Change how many calls of one method must fail one after the other, while they do
	 * not elsewhere.
	 * @param failures 2 or more
	 * @return changed options
	 */
	public EjectionOptions withFailuresInARow(int failures) {
		require(failures >= 2, "ejection.failures-in-a-row", failures, "2 or more");
		return copy((changed) -> changed.failuresInARow = failures);
	}

	/**
	 * Change how much slower than elsewhere calls of the same methods must be.
	 * @param times more than 1: the quotient of typical times
	 * @param least and so much longer in a typical call; 0 or more
	 * @return changed options
	 */
	public EjectionOptions withSlowness(double times, Duration least) {
		require(times > 1, "ejection.slowness", times, "more than 1, such as 3");
		require(!least.isNegative(), "ejection.least-slowness", least, "0 or more");
		return copy((changed) -> {
			changed.slowness = times;
			changed.leastSlowness = least;
		});
	}

	/**
	 * Change how many of the instances may be out at once. One may always be, and never
	 * the last that is ready.
	 * @param percent 1 to 100
	 * @return changed options
	 */
	public EjectionOptions withMostPercent(int percent) {
		require(percent >= 1 && percent <= PERCENT, "ejection.most-percent", percent, "1 to 100");
		return copy((changed) -> changed.mostPercent = percent);
	}

	/**
	 * Change how long an instance stays out before a call goes there to see: a third of
	 * the time for which it has been sick, within these bounds.
	 * @param min more than 0
	 * @param max as long or longer
	 * @return changed options
	 */
	public EjectionOptions withPauses(Duration min, Duration max) {
		positive("ejection.min-pause", min);
		require(max.compareTo(min) >= 0, "ejection.max-pause", max, "at least ejection.min-pause");
		return copy((changed) -> {
			changed.minPause = min;
			changed.maxPause = max;
		});
	}

	/**
	 * Whether it is on.
	 * @return true if so
	 */
	public boolean isEnabled() {
		return this.enabled;
	}

	/**
	 * How many calls of one method must fail one after the other.
	 * @return 2 or more
	 */
	public int failuresInARow() {
		return this.failuresInARow;
	}

	/**
	 * How much slower than elsewhere calls must be.
	 * @return more than 1
	 */
	public double slowness() {
		return this.slowness;
	}

	/**
	 * How much longer a typical call must take.
	 * @return 0 or more
	 */
	public Duration leastSlowness() {
		return this.leastSlowness;
	}

	/**
	 * How many of the instances may be out at once.
	 * @return 1 to 100
	 */
	public int mostPercent() {
		return this.mostPercent;
	}

	/**
	 * The shortest pause.
	 * @return more than 0
	 */
	public Duration minPause() {
		return this.minPause;
	}

	/**
	 * The longest pause.
	 * @return at least the shortest
	 */
	public Duration maxPause() {
		return this.maxPause;
	}

}
