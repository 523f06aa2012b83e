package io.rpcboot.internal.client.outlier;

import java.util.Arrays;

/**
 * Outlier statistics of one instance for one reference: outcomes of recent calls by
 * method, and the phase of its ejection. Older calls fade. Methods are numbered within
 * the service, from 0. One thread only.
 */
public final class InstanceOutlierStats {

	/** Phase of an instance: whether it gets calls. */
	public enum Phase {

		/** It gets calls. */
		IN,

		/** It is ejected and gets no calls until a pause is over. */
		OUT,

		/** It gets one call at a time as a probe. */
		PROBING,

		/** It gets a growing share of calls. */
		RETURNING

	}

	static final int CALLS = 0;

	static final int FAILURES = 1;

	static final int TIMED = 2;

	static final int LOGARITHMS = 3;

	private static final int KINDS = 4;

	/** Faded sums by method and kind. */
	private final double[] sums;

	/** Failures in a row by method. */
	private final long[] inARow;

	/** Overdue calls by method. */
	private final long[] overdue;

	/** Sums of the logarithms of their ages, by method. */
	private final long[] overdueLogarithms;

	/** True if overdue calls count as failed: the method is much faster elsewhere. */
	private final boolean[] isOverdue;

	/** Number of overdue calls when the probe started. */
	private long overdueBefore;

	private Phase phase = Phase.IN;

	private String why = "";

	private boolean stoodStill;

	/** Time of the first of several ejections in a row. */
	private long sickSinceNanos;

	private long phaseSinceNanos;

	private long phaseNanos;

	private boolean isSlow;

	/** Successful probes in a row. */
	private int probes;

	/** True while a probe is pending. */
	private boolean isProbed;

	private long probedNanos;

	/** Number of checks without a probe. */
	private int unseen;

	/**
	 * Creates empty statistics.
	 * @param methods number of methods of the service
	 */
	public InstanceOutlierStats(int methods) {
		this.sums = new double[methods * KINDS];
		this.inARow = new long[methods];
		this.overdue = new long[methods];
		this.overdueLogarithms = new long[methods];
		this.isOverdue = new boolean[methods];
	}

	/**
	 * Fades the sums, and sets the overdue calls and the failures in a row to 0, because
	 * the next check adds their current values again.
	 * @param kept factor, 0 to 1
	 */
	public void fade(double kept) {
		for (int i = 0; i < this.sums.length; i++) {
			this.sums[i] *= kept;
		}
		Arrays.fill(this.inARow, 0);
		Arrays.fill(this.overdue, 0);
		Arrays.fill(this.overdueLogarithms, 0);
		Arrays.fill(this.isOverdue, false);
	}

	/**
	 * Adds completed calls of one of its connections.
	 * @param method number of the method within the service, from 0
	 * @param calls number of calls
	 * @param failures number of failed calls
	 * @param timed number of calls with a latency
	 * @param logarithms sum of the logarithms of their latencies
	 * @param inARow failures since the last success
	 */
	public void add(int method, long calls, long failures, long timed, long logarithms, long inARow) {
		int at = method * KINDS;
		this.sums[at + CALLS] += calls;
		this.sums[at + FAILURES] += failures;
		this.sums[at + TIMED] += timed;
		this.sums[at + LOGARITHMS] += logarithms;
		this.inARow[method] = Math.max(this.inARow[method], inARow);
	}

	/**
	 * Adds overdue calls of one of its connections. They count as failed until the next
	 * check if the method is much faster elsewhere.
	 * @param method number of the method within the service, from 0
	 * @param calls number of calls
	 * @param logarithms sum of the logarithms of their ages
	 */
	public void addOverdue(int method, long calls, long logarithms) {
		this.overdue[method] += calls;
		this.overdueLogarithms[method] += logarithms;
	}

	/** Returns the mean logarithm of the ages of overdue calls, 0 without any. */
	double overdueAge(int method) {
		return (this.overdue[method] > 0) ? (double) this.overdueLogarithms[method] / this.overdue[method] : 0;
	}

	/** Lets overdue calls of a method count as failed until the next {@link #fade}. */
	void countsOverdue(int method) {
		this.isOverdue[method] = true;
	}

	/**
	 * Returns true if calls of a method are pending for much longer than elsewhere.
	 * @param method number of the method within the service, from 0
	 * @return result of the last check
	 */
	public boolean isOverdue(int method) {
		return this.isOverdue[method];
	}

	/**
	 * Returns the number of calls that are pending for much longer than elsewhere.
	 * @return result of the last check
	 */
	public long overdue() {
		long sum = 0;
		for (int method = 0; method < this.isOverdue.length; method++) {
			sum += this.isOverdue[method] ? this.overdue[method] : 0;
		}
		return sum;
	}

	/**
	 * Returns true if the probe is overdue: more calls are overdue than when it started.
	 * Lowers the number at the start if fewer are overdue now, so call it once a check.
	 */
	boolean isProbeOverdue() {
		long now = overdue();
		boolean more = now > this.overdueBefore;
		this.overdueBefore = Math.min(this.overdueBefore, now);
		return more;
	}

	double sum(int method, int kind) {
		boolean counts = this.isOverdue[method] && countsOverdueOnes(kind);
		return this.sums[method * KINDS + kind] + (counts ? this.overdue[method] : 0);
	}

	long inARow(int method) {
		return this.inARow[method];
	}

	double total(int kind) {
		return ended(kind) + (countsOverdueOnes(kind) ? overdue() : 0);
	}

	private static boolean countsOverdueOnes(int kind) {
		return kind == CALLS || kind == FAILURES;
	}

	/** Returns the sum of a kind without overdue calls. */
	double ended(int kind) {
		double sum = 0;
		for (int i = kind; i < this.sums.length; i += KINDS) {
			sum += this.sums[i];
		}
		return sum;
	}

	/**
	 * Returns the number of methods of the service.
	 * @return 1 or more
	 */
	public int methods() {
		return this.inARow.length;
	}

	void forget() {
		Arrays.fill(this.sums, 0);
		Arrays.fill(this.inARow, 0);
	}

	/**
	 * Returns the phase.
	 * @return the phase
	 */
	public Phase phase() {
		return this.phase;
	}

	/**
	 * Returns the reason of the last ejection, for messages.
	 * @return empty if it was never ejected
	 */
	public String why() {
		return this.why;
	}

	/**
	 * Returns the start of the phase.
	 * @return as {@link System#nanoTime()}
	 */
	long sinceNanos() {
		return this.phaseSinceNanos;
	}

	/**
	 * Starts a probe.
	 * @param nowNanos the time
	 */
	public void probed(long nowNanos) {
		this.isProbed = true;
		this.probedNanos = nowNanos;
		this.overdueBefore = overdue();
		forget();
	}

	/**
	 * Returns true if a probe may start.
	 * @return false while a probe is pending
	 */
	public boolean wantsProbe() {
		return this.phase == Phase.PROBING && !this.isProbed;
	}

	/**
	 * Returns true if the last probe was successful and more probes follow.
	 * @return false before the first probe and after a failed one
	 */
	public boolean isProbedWell() {
		return this.probes > 0;
	}

	/** Allows another probe if the pending one has no outcome after a time. */
	boolean probeAgain(long now, long nanos) {
		boolean again = this.isProbed && now - this.probedNanos >= nanos;
		if (again) {
			opens();
		}
		return again;
	}

	private void opens() {
		this.isProbed = false;
		this.unseen = 0;
	}

	/**
	 * Counts a check, so call it once a check. Returns the number of checks without a
	 * probe, 0 while a probe is pending.
	 */
	int unseen() {
		return this.isProbed ? 0 : ++this.unseen;
	}

	/**
	 * Returns the share of its weight that it gets now.
	 * @param nowNanos the time
	 * @return 0 to 1
	 */
	public double share(long nowNanos) {
		return switch (this.phase) {
			case IN -> 1;
			case OUT, PROBING -> 0;
			case RETURNING -> SlowStart.share(nowNanos - this.phaseSinceNanos, this.phaseNanos);
		};
	}

	/**
	 * Returns true if it gets no calls except probes.
	 * @return true if it is ejected or probed
	 */
	public boolean isOut() {
		return this.phase == Phase.OUT || this.phase == Phase.PROBING;
	}

	boolean isSlow() {
		return this.isSlow;
	}

	boolean isProbed() {
		return this.isProbed;
	}

	long sickSinceNanos() {
		return this.sickSinceNanos;
	}

	/** Records an ejection because the instance stands still. */
	void leavesStandingStill(long now) {
		leaves("it stood still", true, false, now);
		this.stoodStill = true;
	}

	/** Returns true if the last ejection was because the instance stood still. */
	boolean stoodStill() {
		return this.stoodStill;
	}

	/** Records an ejection. */
	void leaves(String why, boolean slow, boolean again, long now) {
		this.why = why;
		this.stoodStill = false;
		this.isSlow = slow;
		this.sickSinceNanos = again ? this.sickSinceNanos : now;
	}

	int goodProbe() {
		opens();
		return ++this.probes;
	}

	void enters(Phase phase, long forNanos, long now) {
		this.phase = phase;
		this.phaseSinceNanos = now;
		this.phaseNanos = forNanos;
		this.probes = 0;
		opens();
		forget();
	}

	boolean isPhaseOver(long now) {
		return now - this.phaseSinceNanos >= this.phaseNanos;
	}

}
