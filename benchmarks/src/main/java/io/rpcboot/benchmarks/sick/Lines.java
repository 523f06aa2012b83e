package io.rpcboot.benchmarks.sick;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What a measured process says to the one that measures: lines with a mark before them,
 * so that they are told from those of the log. Thread-safe.
 */
final class Lines {

	static final String MARK = "@";

	private static final long BEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	private final PrintStream out = System.out;

	private final StringBuilder waiting = new StringBuilder();

	Lines() {
		Thread thread = new Thread(this::writeForEver, "lines");
		thread.setDaemon(true);
		thread.start();
	}

	private void writeForEver() {
		while (true) {
			LockSupport.parkNanos(BEAT_NANOS);
			flush();
		}
	}

	/** Say something soon; {@link #flush} says it now. */
	void add(String line) {
		synchronized (this.waiting) {
			this.waiting.append(MARK).append(line).append('\n');
		}
	}

	/** In one piece, so that no line of the log comes between. */
	void flush() {
		synchronized (this.out) {
			String text;
			synchronized (this.waiting) {
				text = this.waiting.toString();
				this.waiting.setLength(0);
			}
			if (!text.isEmpty()) {
				this.out.print(text);
				this.out.flush();
			}
		}
	}

	/**
	 * Do what the measuring process says, until it has nothing more to say or has ended.
	 * @param commands takes each line
	 */
	void obey(Commands commands) throws IOException, InterruptedException {
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String line = in.readLine(); line != null; line = in.readLine()) {
			commands.obey(line.split(" "));
			flush();
		}
	}

	/** What a process can be told. */
	interface Commands {

		/** Do it before the next one is read. */
		void obey(String[] words) throws InterruptedException;

	}

}
