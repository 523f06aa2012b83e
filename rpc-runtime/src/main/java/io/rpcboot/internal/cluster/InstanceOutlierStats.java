package io.rpcboot.internal.cluster;

import java.util.Arrays;

/**
 * How the recent calls of one reference to one instance went, by method, and what was
 * concluded from it. Older calls fade. Confined to one thread.
 */
public final class InstanceOutlierStats {

	/** Whether calls go to the instance. */
	public enum Phase {

		/** They do. */
		IN,

		/** They do not, until a pause is over. */
		OUT,

		/** One does, to see how it goes. */
		PROBING,

		/** A growing share does. */
		RETURNING

	}

	static final int CALLS = 0;

	static final int FAILURES = 1;

	static final int TIMED = 2;

	static final int LOGARITHMS = 3;

	private static final int KINDS = 4;

	/** By method and kind. */
	private final double[] sums;

	/** By method. */
	private final long[] inARow;

	/** Calls without an answer for long, and the logarithms of their ages; by method. */
	private final long[] overdue;

	private final long[] overdueLogarithms;

	/** Whether they count, for their method takes much less elsewhere. */
	private final boolean[] isOverdue;

	/** As many were when a call went there to see. */
	private long overdueBefore;

	private Phase phase = Phase.IN;

	private String why = "";

	/** Since when it was out again and again. */
	private long sickSinceNanos;

	private long phaseSinceNanos;

	private long phaseNanos;

	private boolean isSlow;

	/** Good ones one after the other. */
	private int probes;

	/** Whether a call has gone there to see. */
	private boolean isProbed;

	private long probedNanos;

	/** Looks at which a call might have gone there to see, and none had. */
	private int unseen;

	/**
	 * Nothing is known of an instance.
	 * @param methods methods of the service
	 */
	public InstanceOutlierStats(int methods) {
		this.sums = new double[methods * KINDS];
		this.inARow = new long[methods];
		this.overdue = new long[methods];
		this.overdueLogarithms = new long[methods];
		this.isOverdue = new boolean[methods];
	}

	/**
	 * Let what was counted fade.
	 * @param kept 0 to 1
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
	 * Count calls that have ended on one of its connections.
	 * @param method number of their method in the service
	 * @param calls how many
	 * @param failures how many of them failed
	 * @param timed how many of them say how long they take
	 * @param logarithms sum of the logarithms of those times
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
	 * Calls that have been under way on one of its connections for long. Until the next
	 * look they count as failed if they take much less elsewhere.
	 * @param method number of their method in the service
	 * @param calls how many
	 * @param logarithms sum of the logarithms of the times since when they are
	 */
	public void addOverdue(int method, long calls, long logarithms) {
		this.overdue[method] += calls;
		this.overdueLogarithms[method] += logarithms;
	}

	/** Mean logarithm of their ages; 0 if there are none. */
	double overdueAge(int method) {
		return (this.overdue[method] > 0) ? (double) this.overdueLogarithms[method] / this.overdue[method] : 0;
	}

	void countsOverdue(int method) {
		this.isOverdue[method] = true;
	}

	/**
	 * Whether calls of a method have been under way for much longer than elsewhere.
	 * @param method its number in the service
	 * @return what the last look has found
	 */
	public boolean isOverdue(int method) {
		return this.isOverdue[method];
	}

	/**
	 * All calls that have been under way for much longer than elsewhere.
	 * @return what the last look has found
	 */
	public long overdue() {
		long sum = 0;
		for (int method = 0; method < this.isOverdue.length; method++) {
			sum += this.isOverdue[method] ? this.overdue[method] : 0;
		}
		return sum;
	}

	/** Whether the call that went there to see is one of them. */
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

	/** Those of them that have ended. */
	double ended(int kind) {
		double sum = 0;
		for (int i = kind; i < this.sums.length; i += KINDS) {
			sum += this.sums[i];
		}
		return sum;
	}

	/**
	 * The methods of the service.
	 * @return how many
	 */
	public int methods() {
		return this.inARow.length;
	}

	void forget() {
		Arrays.fill(this.sums, 0);
		Arrays.fill(this.inARow, 0);
	}

	/**
	 * Whether calls go there.
	 * @return the phase
	 */
	public Phase phase() {
		return this.phase;
	}

	/**
	 * Why it is or was out, for people.
	 * @return empty if it never was
	 */
	public String why() {
		return this.why;
	}

	/**
	 * Since when the phase is what it is.
	 * @return as {@link System#nanoTime()}
	 */
	long sinceNanos() {
		return this.phaseSinceNanos;
	}

	/**
	 * A call goes there to see. The next one may when this one has ended.
	 * @param nowNanos the time
	 */
	public void probed(long nowNanos) {
		this.isProbed = true;
		this.probedNanos = nowNanos;
		this.overdueBefore = overdue();
		forget();
	}

	/**
	 * Whether a call may go there to see.
	 * @return false, too, while one does
	 */
	public boolean wantsProbe() {
		return this.phase == Phase.PROBING && !this.isProbed;
	}

	/**
	 * Whether a call that went there to see went well, and none badly since.
	 * @return true between the first of them and the last
	 */
	public boolean isProbedWell() {
		return this.probes > 0;
	}

	/** Whether nothing has become of a probe in that time, so that another one may go. */
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

	/** A look at which it is connected. Returns how many saw that no call goes there. */
	int unseen() {
		return this.isProbed ? 0 : ++this.unseen;
	}

	/**
	 * The share of its weight that it gets now.
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
	 * Whether it takes no calls, but for one that sees how it is.
	 * @return true if it is out or probed
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

	/** It is out because of this. */
	void leaves(String why, boolean slow, boolean again, long now) {
		this.why = why;
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
