package io.rpcboot.resilience;

import java.time.Duration;
import java.util.Objects;

import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * Options of outlier ejection: an instance whose calls fail or are slow gets no calls for
 * a while. It is compared with the other instances of the service, so a fault of all
 * instances ejects none. Immutable. <pre>{@code
 * EjectionOptions.defaults().withFailuresInARow(3).withMostPercent(50)
 * }</pre>
 *
 * @since 0.1.0
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
	 * Returns the defaults:
	 * <ul>
	 * <li>enabled;
	 * <li>5 failures in a row, so that a single lost reply does not count. A failure rate
	 * also ejects if it is, with 99 % confidence, 5 points above that of the others;
	 * <li>slowness 3 and 10 ms: callers hardly notice less, and busy hosts differ by as
	 * much;
	 * <li>at most 30 % of the instances, so that the others are not overloaded;
	 * <li>pauses from 1 s to 30 s.
	 * </ul>
	 * @return the defaults
	 */
	public static EjectionOptions defaults() {
		return DEFAULTS;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof EjectionOptions that && this.enabled == that.enabled
				&& this.failuresInARow == that.failuresInARow && this.slowness == that.slowness
				&& this.leastSlowness.equals(that.leastSlowness) && this.mostPercent == that.mostPercent
				&& this.minPause.equals(that.minPause) && this.maxPause.equals(that.maxPause);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.enabled, this.failuresInARow, this.slowness, this.leastSlowness, this.mostPercent,
				this.minPause, this.maxPause);
	}

	/**
	 * Returns a copy with ejection enabled or disabled.
	 * @param enabled false to send calls to every connected instance
	 * @return a copy
	 */
	public EjectionOptions withEnabled(boolean enabled) {
		return copy((changed) -> changed.enabled = enabled);
	}

	/**
	 * Returns a copy with another number of consecutive failures of one method that eject
	 * an instance, while the method does not fail at the others.
	 * @param failures 2 or more
	 * @return a copy
	 * @throws InvalidOptionException if it is less
	 */
	public EjectionOptions withFailuresInARow(int failures) {
		require(failures >= 2, "ejection.failures-in-a-row", failures, "2 or more");
		return copy((changed) -> changed.failuresInARow = failures);
	}

	/**
	 * Returns a copy with other thresholds of slowness. An instance is slow if its
	 * typical call takes {@code times} the typical time of the others, and at least
	 * {@code least} longer.
	 * @param times more than 1
	 * @param least 0 or more
	 * @return a copy
	 * @throws InvalidOptionException if a value is out of range
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
	 * Returns a copy with another maximum of ejected instances. One instance may always
	 * be ejected, but never the last ready one.
	 * @param percent 1 to 100
	 * @return a copy
	 * @throws InvalidOptionException if it is out of range
	 */
	public EjectionOptions withMostPercent(int percent) {
		require(percent >= 1 && percent <= PERCENT, "ejection.most-percent", percent, "1 to 100");
		return copy((changed) -> changed.mostPercent = percent);
	}

	/**
	 * Returns a copy with other bounds of the pause before a probe call: a third of the
	 * time since the ejection, within these bounds.
	 * @param min more than 0
	 * @param max min or longer
	 * @return a copy
	 * @throws InvalidOptionException if a value is out of range
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
	 * Returns true if ejection is enabled.
	 * @return true by default
	 */
	public boolean isEnabled() {
		return this.enabled;
	}

	/**
	 * Returns the number of consecutive failures of one method that eject an instance.
	 * @return 2 or more
	 */
	public int failuresInARow() {
		return this.failuresInARow;
	}

	/**
	 * Returns the factor of slowness.
	 * @return more than 1
	 */
	public double slowness() {
		return this.slowness;
	}

	/**
	 * Returns the minimum difference of slowness.
	 * @return 0 or more
	 */
	public Duration leastSlowness() {
		return this.leastSlowness;
	}

	/**
	 * Returns the maximum of ejected instances, in percent.
	 * @return 1 to 100
	 */
	public int mostPercent() {
		return this.mostPercent;
	}

	/**
	 * Returns the shortest pause before a probe call.
	 * @return more than 0
	 */
	public Duration minPause() {
		return this.minPause;
	}

	/**
	 * Returns the longest pause before a probe call.
	 * @return the shortest pause or longer
	 */
	public Duration maxPause() {
		return this.maxPause;
	}

}
