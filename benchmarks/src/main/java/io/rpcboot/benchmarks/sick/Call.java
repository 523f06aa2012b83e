package io.rpcboot.benchmarks.sick;

/**
 * A call that has ended. Times are those of {@code System.nanoTime()} of the machine.
 *
 * @param isWrite whether it is not idempotent
 * @param number its number
 * @param planned when it was to begin
 * @param end when it ended
 * @param outcome {@link #OK}, the name of a status, or of the class of an exception
 * @param mayHaveRun what the exception says; true for a call that was answered
 * @param message of the exception, else empty
 */
record Call(boolean isWrite, long number, long planned, long end, String outcome, boolean mayHaveRun, String message) {

	static final String OK = "OK";

	/**
	 * Read a line of {@link Traffic}.
	 * @param line without {@link Traffic#CALL}
	 */
	static Call parse(String line) {
		String[] words = line.split(" ", 7);
		boolean isAnswered = words.length == 5;
		return new Call(words[0].equals("w"), Long.parseLong(words[1]), Long.parseLong(words[2]),
				Long.parseLong(words[3]), words[4], isAnswered || Boolean.parseBoolean(words[5]),
				isAnswered ? "" : words[6]);
	}

	boolean isFailed() {
		return !this.outcome.equals(OK);
	}

	/** Whether it was to begin in a time. */
	boolean isOf(long from, long to) {
		return this.planned >= from && this.planned < to;
	}

	/** Whether it failed at an instance, as its message says. */
	boolean isFailedAt(int port) {
		return isFailed() && this.message.matches(".*:" + port + "\\b.*");
	}

	double millis() {
		return (this.end - this.planned) / 1e6;
	}

}
