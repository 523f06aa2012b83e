package io.rpcboot.benchmarks.fork;

/**
 * What became of calls that were made without limit.
 *
 * @param sent how many were made
 * @param answered rightly
 * @param failedEarly failed before their deadline, or were answered wrongly
 * @param failedLate failed at their deadline
 */
public record Fired(long sent, long answered, long failedEarly, long failedLate) {

	String toLine() {
		return this.sent + " " + this.answered + " " + this.failedEarly + " " + this.failedLate;
	}

	/**
	 * Read what a client process wrote.
	 * @param line the line after its first word
	 * @return the result
	 */
	public static Fired parse(String line) {
		long[] fields = Slice.fields(line);
		return new Fired(fields[0], fields[1], fields[2], fields[3]);
	}

}
