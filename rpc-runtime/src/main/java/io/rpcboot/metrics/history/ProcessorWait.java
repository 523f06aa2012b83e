package io.rpcboot.metrics.history;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Time that event loops were ready to run and got no processor, because the machine was
 * busy or the container was throttled. Linux tells it for each thread in the second
 * number of {@code /proc/self/task/*}{@code /schedstat}. Guarded by the lock of the
 * history.
 */
final class ProcessorWait {

	/** The kernel cuts names of threads to 15 characters. */
	private static final String LOOPS = "rpc-(client|server)-loop.*";

	private final Path tasks;

	/**
	 * Wait of each loop so far in nanoseconds, by its thread id; -1 for other threads.
	 */
	private final Map<String, Long> waited = new HashMap<>();

	ProcessorWait(Path tasks) {
		this.tasks = tasks;
	}

	/**
	 * Returns the wait of all event loops since the last call.
	 * @return nanoseconds; -1 if the system does not tell
	 */
	long take() {
		long sum = 0;
		boolean known = false;
		Map<String, Long> before = new HashMap<>(this.waited);
		this.waited.clear();
		try (DirectoryStream<Path> threads = Files.newDirectoryStream(this.tasks)) {
			for (Path thread : threads) {
				String id = thread.getFileName().toString();
				Long last = before.get(id);
				long now = (last != null && last < 0) ? -1 : waited(thread, last != null);
				this.waited.put(id, now);
				known |= now >= 0;
				sum += (now >= 0 && last != null) ? Math.max(0, now - last) : 0;
			}
		}
		catch (IOException | RuntimeException ex) { // another system, or not allowed
			return -1;
		}
		return known ? sum : -1;
	}

	/** Returns the wait of an event loop so far, -1 for another thread. */
	private static long waited(Path thread, boolean isLoop) {
		try {
			if (!isLoop && !Files.readString(thread.resolve("comm")).strip().matches(LOOPS)) {
				return -1;
			}
			return Long.parseLong(Files.readString(thread.resolve("schedstat")).strip().split(" ")[1]);
		}
		catch (IOException | RuntimeException ex) { // the thread has ended
			return -1;
		}
	}

}
