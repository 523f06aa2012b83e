package io.rpcboot.internal.cluster;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

import org.jspecify.annotations.Nullable;

/**
 * How the calls of one connection have ended, or that they do not, by the number of their
 * method. One thread counts, any thread reads; what it reads may be some calls apart.
 */
public final class MethodOutcomes {

	/** Grown by the one thread that counts. */
	private volatile @Nullable Tally[] tallies = new Tally[0];

	/**
	 * A call has ended. By the one thread that counts.
	 * @param number its method
	 * @param failed whether that speaks against the instance
	 * @param tookNanos how long it took, 0 if that says nothing about the instance
	 */
	public void ended(int number, boolean failed, long tookNanos) {
		tally(number).ended(failed, tookNanos);
	}

	/**
	 * A call was answered elsewhere before it was here, which says nothing of how it
	 * would have ended. By the one thread that counts.
	 * @param number its method
	 * @param tookNanos how long it would have taken at least
	 */
	public void answeredElsewhere(int number, long tookNanos) {
		tally(number).took(tookNanos);
	}

	/** No call is overdue. By the one thread that counts. */
	public void noneOverdue() {
		for (Tally each : this.tallies) {
			if (each != null) {
				each.noneOverdue();
			}
		}
	}

	/**
	 * A call has been under way for long. By the one thread that counts.
	 * @param number its method
	 * @param nanos since when
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
			this.tallies = all; // so that readers see it
		}
		return tally;
	}

	/**
	 * What was counted of a method.
	 * @param number the method
	 * @return null if none of its calls was counted
	 */
	public @Nullable Tally of(int number) {
		@Nullable Tally[] all = this.tallies;
		return (number < all.length) ? all[number] : null;
	}

	/** The calls of one method. */
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
		 * Calls so far.
		 * @return the number
		 */
		public long calls() {
			return this.values.get(CALLS);
		}

		/**
		 * Those that have failed.
		 * @return the number
		 */
		public long failures() {
			return this.values.get(FAILURES);
		}

		/**
		 * Those whose time says something.
		 * @return the number
		 */
		public long timed() {
			return this.values.get(TIMED);
		}

		/**
		 * The {@linkplain FixedPointLog2 logarithms} of those times.
		 * @return their sum
		 */
		public long logarithms() {
			return this.values.get(LOGARITHMS);
		}

		/**
		 * Failures since the last success.
		 * @return the number
		 */
		public long inARow() {
			return this.values.get(IN_A_ROW);
		}

		/**
		 * Those that have been under way for long, and still are.
		 * @return the number
		 */
		public long overdue() {
			return this.values.get(OVERDUE);
		}

		/**
		 * The {@linkplain FixedPointLog2 logarithms} of the times since when they are.
		 * @return their sum
		 */
		public long overdueLogarithms() {
			return this.values.get(OVERDUE_LOGARITHMS);
		}

	}

}
