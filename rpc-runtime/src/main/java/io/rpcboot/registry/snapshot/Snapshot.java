package io.rpcboot.registry.snapshot;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import io.rpcboot.ServiceId;
import io.rpcboot.registry.snapshot.SnapshotCodec.Content;
import io.rpcboot.registry.snapshot.SnapshotCodec.UnusableSnapshotException;

/** The lists of a file, as far as they are of use. Confined to the worker. */
final class Snapshot {

	private static final Logger log = LoggerFactory.getLogger("rpc.registry");

	private static final String PROPERTY = "registry.snapshot.directory";

	private final SnapshotFile file;

	private final String source;

	private final Duration maxAge;

	private final InstantSource clock;

	private Map<ServiceId, CachedInstances> lists = Map.of();

	private boolean failed;

	Snapshot(SnapshotFile file, String source, Duration maxAge, InstantSource clock) {
		this.file = file;
		this.source = source;
		this.maxAge = maxAge;
		this.clock = clock;
	}

	void load() {
		try {
			this.file.tidy(this.clock.instant());
		}
		catch (IOException ex) {
			log.debug("Snapshot {} of the registry: its directory cannot be tidied", this.file, ex);
		}
		this.lists = read(Level.WARN);
	}

	/** Null if there is none, or an old one. */
	@Nullable CachedInstances get(ServiceId service) {
		CachedInstances known = this.lists.get(service);
		return (known != null && known.isYoung(this.clock.instant(), this.maxAge)) ? known : null;
	}

	/**
	 * Write these lists and those of other services that the file has, which a process of
	 * the same kind may have written; what is old goes.
	 */
	void store(Map<ServiceId, CachedInstances> current) {
		Map<ServiceId, CachedInstances> all = new HashMap<>(read(Level.DEBUG));
		all.putAll(current);
		Instant now = this.clock.instant();
		all.values().removeIf((known) -> !known.isYoung(now, this.maxAge));
		try {
			this.file.write(SnapshotCodec.encode(new Content(this.source, all)));
			this.failed = false;
		}
		catch (IOException | SecurityException ex) {
			log.atLevel(this.failed ? Level.DEBUG : Level.WARN)
				.log("Snapshot {} of the registry cannot be written: {} ({})", this.file, ex.toString(), PROPERTY);
			this.failed = true;
		}
	}

	private Map<ServiceId, CachedInstances> read(Level level) {
		try {
			byte[] data = this.file.read();
			return (data != null) ? young(SnapshotCodec.decode(data)) : Map.of();
		}
		catch (UnusableSnapshotException ex) {
			log.atLevel(level)
				.log("Snapshot {} of the registry is ignored: {} ({})", this.file, ex.getMessage(), PROPERTY);
		}
		catch (IOException | SecurityException ex) {
			log.atLevel(level)
				.log("Snapshot {} of the registry is ignored: {} ({})", this.file, ex.toString(), PROPERTY);
		}
		return Map.of();
	}

	private Map<ServiceId, CachedInstances> young(Content content) throws UnusableSnapshotException {
		if (!content.source().equals(this.source)) {
			throw new UnusableSnapshotException(
					"it is from %s (expected: from %s)".formatted(content.source(), this.source));
		}
		Instant now = this.clock.instant();
		Map<ServiceId, CachedInstances> young = new HashMap<>(content.lists());
		young.values().removeIf((known) -> !known.isYoung(now, this.maxAge));
		if (young.isEmpty() && !content.lists().isEmpty()) {
			Instant newest = content.lists()
				.values()
				.stream()
				.map(CachedInstances::at)
				.max(Instant::compareTo)
				.orElse(now);
			throw new UnusableSnapshotException(
					"it is of %s (expected: at most %s old, registry.snapshot.max-age)".formatted(newest, this.maxAge));
		}
		return young;
	}

}
