package io.rpcboot.registry.snapshot;

import java.nio.file.Path;
import java.time.Duration;

import io.rpcboot.transport.Options;

/**
 * Options of a snapshot: its file and the conditions of its use. Immutable.
 *
 * @since 0.1.0
 */
public final class SnapshotOptions extends Options {

	private final Path file;

	private String source = "";

	private Duration maxAge = Duration.ofDays(1);

	private Duration wait = Duration.ofMillis(500);

	private SnapshotOptions(Path file) {
		this.file = file.toAbsolutePath();
	}

	/**
	 * Returns the defaults: lists of at most one day, used 500 ms after the start, which
	 * is less than calls wait for an instance.
	 * @param file the file; a missing directory is created. Processes that subscribe to
	 * the same services of the same registry may share the file, other processes must not
	 * @return the options
	 */
	public static SnapshotOptions defaults(Path file) {
		return new SnapshotOptions(file);
	}

	/**
	 * Returns a copy with another name of the registry. A file with another name is
	 * ignored.
	 * @param source a line of text; empty for the description of the registry
	 * @return a copy
	 */
	public SnapshotOptions withSource(String source) {
		return copy((changed) -> changed.source = source);
	}

	/**
	 * Returns a copy with another maximum age of a list: the time since the registry has
	 * confirmed it.
	 * @param maxAge 1 minute or more
	 * @return a copy
	 * @throws InvalidOptionException if it is shorter
	 */
	public SnapshotOptions withMaxAge(Duration maxAge) {
		require(maxAge.compareTo(Duration.ofMinutes(1)) >= 0, "registry.snapshot.max-age", maxAge, "1m or more");
		return copy((changed) -> changed.maxAge = maxAge);
	}

	/**
	 * Returns a copy with another time to wait for the registry before the file is used.
	 * @param wait 0 (no wait) to 1 minute
	 * @return a copy
	 * @throws InvalidOptionException if it is out of range
	 */
	public SnapshotOptions withWaitForRegistry(Duration wait) {
		require(!wait.isNegative() && wait.compareTo(Duration.ofMinutes(1)) <= 0, "registry.snapshot.wait-for-registry",
				wait, "0 to 1m");
		return copy((changed) -> changed.wait = wait);
	}

	/**
	 * Returns the file.
	 * @return an absolute path
	 */
	public Path file() {
		return this.file;
	}

	/**
	 * Returns the name of the registry in the file.
	 * @return a line of text, empty for the description of the registry
	 */
	public String source() {
		return this.source;
	}

	/**
	 * Returns the maximum age of a list.
	 * @return 1 minute or more
	 */
	public Duration maxAge() {
		return this.maxAge;
	}

	/**
	 * Returns the time to wait for the registry.
	 * @return 0 to 1 minute
	 */
	public Duration waitForRegistry() {
		return this.wait;
	}

}
