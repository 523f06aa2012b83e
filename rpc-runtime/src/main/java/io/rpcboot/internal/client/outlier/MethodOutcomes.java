package io.rpcboot.internal.client.outlier;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

import org.jspecify.annotations.Nullable;

/**
 * Outcomes of the calls of one connection by method number: calls, failures, latencies,
 * overdue calls. The number is that on the wire: the first number of the binding plus the
 * number within the service. One thread counts; any thread reads, and may get counts that
 * differ by some calls.
 */
public final class MethodOutcomes {

	/** Tallies by method number. Grown by the counting thread. */
	private volatile @Nullable Tally[] tallies = new Tally[0];

	/**
	 * Counts a completed call. Counting thread only.
	 * @param number its method number
	 * @param failed true if the failure speaks against the instance
	 * @param tookNanos latency, 0 if it does not reflect the instance
	 */
	public void ended(int number, boolean failed, long tookNanos) {
		tally(number).ended(failed, tookNanos);
	}

	/**
	 * Counts the latency of a call that another instance answered first; its outcome is
	 * unknown. Counting thread only.
	 * @param number its method number
	 * @param tookNanos lower bound of its latency
	 */
	public void answeredElsewhere(int number, long tookNanos) {
		tally(number).took(tookNanos);
	}

	/** Resets the overdue calls. Counting thread only. */
	public void noneOverdue() {
		for (Tally each : this.tallies) {
			if (each != null) {
				each.noneOverdue();
			}
		}
	}

	/**
	 * Counts an overdue call. Counting thread only.
	 * @param number its method number
	 * @param nanos its age
	 */
	public void overdue(int number, long nanos) {
		tally(number).overdue(nanos);
	}

	private Tally tally(int number) {
		@Nullable Tally[] all = this.tallies;
		if (number >= all.length) {
			all = Arrays.copyOf(all, Math.max(number + 1, 2 * all.length));
			this.tallies = all;
		}
		Tally tally = all[number];
		if (tally == null) {
			tally = new Tally();
			all[number] = tally;
			this.tallies = all; // publishes the tally
		}
		return tally;
	}

	/**
	 * Returns the tally of a method.
	 * @param number the method number
	 * @return null without calls
	 */
	public @Nullable Tally of(int number) {
		@Nullable Tally[] all = this.tallies;
		return (number < all.length) ? all[number] : null;
	}

	/** Counts of one method. */
	public static final class Tally {

		private static final int CALLS = 0;

		private static final int FAILURES = 1;

		private static final int TIMED = 2;

		private static final int LOGARITHMS = 3;

		private static final int IN_A_ROW = 4;

		private static final int OVERDUE = 5;

		private static final int OVERDUE_LOGARITHMS = 6;

		private final AtomicLongArray values = new AtomicLongArray(7);

		void ended(boolean failed, long tookNanos) {
			if (tookNanos > 0) {
				took(tookNanos);
			}
			if (failed) {
				add(FAILURES, 1);
				add(IN_A_ROW, 1);
			}
			else {
				this.values.lazySet(IN_A_ROW, 0);
			}
			add(CALLS, 1);
		}

		void took(long nanos) {
			add(LOGARITHMS, FixedPointLog2.of(nanos));
			add(TIMED, 1);
		}

		void overdue(long nanos) {
			add(OVERDUE_LOGARITHMS, FixedPointLog2.of(nanos));
			add(OVERDUE, 1);
		}

		void noneOverdue() {
			this.values.lazySet(OVERDUE, 0);
			this.values.lazySet(OVERDUE_LOGARITHMS, 0);
		}

		private void add(int index, long count) {
			this.values.lazySet(index, this.values.get(index) + count);
		}

		/**
		 * Returns the number of completed calls.
		 * @return 0 or more
		 */
		public long calls() {
			return this.values.get(CALLS);
		}

		/**
		 * Returns the number of failed calls.
		 * @return 0 or more
		 */
		public long failures() {
			return this.values.get(FAILURES);
		}

		/**
		 * Returns the number of calls with a latency.
		 * @return 0 or more
		 */
		public long timed() {
			return this.values.get(TIMED);
		}

		/**
		 * Returns the sum of the {@linkplain FixedPointLog2 logarithms} of latencies.
		 * @return 0 or more
		 */
		public long logarithms() {
			return this.values.get(LOGARITHMS);
		}

		/**
		 * Returns the number of failures since the last success.
		 * @return 0 or more
		 */
		public long inARow() {
			return this.values.get(IN_A_ROW);
		}

		/**
		 * Returns the number of overdue calls.
		 * @return 0 or more
		 */
		public long overdue() {
			return this.values.get(OVERDUE);
		}

		/**
		 * Returns the sum of the {@linkplain FixedPointLog2 logarithms} of their ages.
		 * @return 0 or more
		 */
		public long overdueLogarithms() {
			return this.values.get(OVERDUE_LOGARITHMS);
		}

	}

}
