package io.rpcboot.registry.snapshot;

import java.nio.file.Path;
import java.time.Duration;

import io.rpcboot.transport.Options;

/** Where a snapshot is, and when it counts. Immutable. */
public final class SnapshotOptions extends Options {

	private final Path file;

	private String source = "";

	private Duration maxAge = Duration.ofDays(1);

	private Duration wait = Duration.ofMillis(500);

	private SnapshotOptions(Path file) {
		this.file = file.toAbsolutePath();
	}

	/**
	 * The defaults: lists of up to a day, half a second after the start, which is less
	 * than calls wait for an instance.
	 * @param file the file; its directory is made if it is missing. Processes that follow
	 * the same services in the same registry may share it, others must not
	 * @return the options
	 */
	public static SnapshotOptions defaults(Path file) {
		return new SnapshotOptions(file);
	}

	/**
	 * Change what the lists are from. A file from elsewhere is not read.
	 * @param source a line of text; empty for the description of the registry
	 * @return a copy
	 */
	public SnapshotOptions withSource(String source) {
		return copy((changed) -> changed.source = source);
	}

	/**
	 * Change how old a list may be: the time since the registry has confirmed it.
	 * @param maxAge 1 minute or more
	 * @return a copy
	 */
	public SnapshotOptions withMaxAge(Duration maxAge) {
		require(maxAge.compareTo(Duration.ofMinutes(1)) >= 0, "registry.snapshot.max-age", maxAge, "1m or more");
		return copy((changed) -> changed.maxAge = maxAge);
	}

	/**
	 * Change how long the registry is waited for before its snapshot stands in.
	 * @param wait 0 (not at all) to 1 minute
	 * @return a copy
	 */
	public SnapshotOptions withWaitForRegistry(Duration wait) {
		require(!wait.isNegative() && wait.compareTo(Duration.ofMinutes(1)) <= 0, "registry.snapshot.wait-for-registry",
				wait, "0 to 1m");
		return copy((changed) -> changed.wait = wait);
	}

	/**
	 * Where the snapshot is.
	 * @return an absolute path
	 */
	public Path file() {
		return this.file;
	}

	/**
	 * What the lists are from.
	 * @return a line of text, empty for the description of the registry
	 */
	public String source() {
		return this.source;
	}

	/**
	 * How old a list may be.
	 * @return 1 minute or more
	 */
	public Duration maxAge() {
		return this.maxAge;
	}

	/**
	 * How long the registry is waited for.
	 * @return 0 to 1 minute
	 */
	public Duration waitForRegistry() {
		return this.wait;
	}

}
