package io.rpcboot.registry.snapshot;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import io.rpcboot.ServiceId;
import io.rpcboot.registry.snapshot.Snapshot.Listed;
import io.rpcboot.registry.snapshot.Snapshot.UnusableSnapshotException;

/**
 * The snapshot file of a registry, and the lists that were read from it. The file belongs
 * to one user and is replaced as a whole, so that a reader finds the old or the new
 * content. Blocks; one thread at a time.
 */
final class SnapshotFile {

	/** Enough for 50,000 instances. */
	static final int MAX_BYTES = 8 * 1024 * 1024;

	private static final Logger log = LoggerFactory.getLogger("rpc.registry");

	private static final String PROPERTY = "registry.snapshot.directory";

	private static final String TEMPORARY = ".tmp";

	/** Age of a temporary file whose process was certainly ended while it wrote. */
	private static final Duration ABANDONED = Duration.ofHours(1);

	private final Path file;

	private final Path directory;

	private final String source;

	private final Duration maxAge;

	private final InstantSource clock;

	/** Lists of the file at the start. */
	private Map<ServiceId, Listed> lists = Map.of();

	/** True if the latest write failed. */
	private boolean failed;

	SnapshotFile(Path file, String source, Duration maxAge, InstantSource clock) {
		this.file = file;
		this.directory = file.resolveSibling("");
		this.source = source;
		this.maxAge = maxAge;
		this.clock = clock;
	}

	void load() {
		try {
			deleteAbandoned();
		}
		catch (IOException ex) {
			log.debug("Snapshot {} of the registry: temporary files of its directory cannot be deleted", this.file, ex);
		}
		this.lists = youngLists(Level.WARN);
	}

	/** Returns the list of a service, null if there is none or if it has expired. */
	@Nullable Listed get(ServiceId service) {
		Listed known = this.lists.get(service);
		return (known != null && known.isYoung(this.clock.instant(), this.maxAge)) ? known : null;
	}

	/**
	 * Writes these lists and the lists of other services in the file, which may come from
	 * another process of the same application. Expired lists are removed.
	 */
	void store(Map<ServiceId, Listed> current) {
		Map<ServiceId, Listed> all = new HashMap<>(youngLists(Level.DEBUG));
		all.putAll(current);
		try {
			write(new Snapshot(this.source, young(all)).encode());
			this.failed = false;
		}
		catch (IOException | SecurityException ex) {
			log.atLevel(this.failed ? Level.DEBUG : Level.WARN)
				.log("Snapshot {} of the registry cannot be written: {} ({})", this.file, ex.toString(), PROPERTY);
			this.failed = true;
		}
	}

	private Map<ServiceId, Listed> youngLists(Level level) {
		String problem;
		try {
			byte[] data = read();
			return (data != null) ? youngLists(Snapshot.decode(data)) : Map.of();
		}
		catch (UnusableSnapshotException ex) {
			problem = ex.getMessage();
		}
		catch (IOException | SecurityException ex) {
			problem = ex.toString();
		}
		log.atLevel(level).log("Snapshot {} of the registry is ignored: {} ({})", this.file, problem, PROPERTY);
		return Map.of();
	}

	private Map<ServiceId, Listed> youngLists(Snapshot content) throws UnusableSnapshotException {
		if (!content.source().equals(this.source)) {
			throw new UnusableSnapshotException(
					"it is from %s (expected: from %s)".formatted(content.source(), this.source));
		}
		Map<ServiceId, Listed> young = young(content.lists());
		Instant newest = content.lists().values().stream().map(Listed::at).max(Instant::compareTo).orElse(null);
		if (young.isEmpty() && newest != null) {
			throw new UnusableSnapshotException(
					"it is of %s (expected: at most %s old, registry.snapshot.max-age)".formatted(newest, this.maxAge));
		}
		return young;
	}

	private Map<ServiceId, Listed> young(Map<ServiceId, Listed> lists) {
		Map<ServiceId, Listed> young = new HashMap<>(lists);
		Instant now = this.clock.instant();
		young.values().removeIf((known) -> !known.isYoung(now, this.maxAge));
		return young;
	}

	/** Returns the content, null if there is no file. */
	byte @Nullable [] read() throws IOException, UnusableSnapshotException {
		BasicFileAttributes attributes;
		try {
			attributes = Files.readAttributes(this.file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
		}
		catch (NoSuchFileException ignored) {
			return null;
		}
		if (!attributes.isRegularFile()) { // a named pipe would block
			throw new UnusableSnapshotException("it is no regular file");
		}
		if (hasPermissions()) {
			Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(this.file);
			if (permissions.contains(PosixFilePermission.GROUP_WRITE)
					|| permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
				throw new UnusableSnapshotException("others may write to it: %s (expected: rw-------)"
					.formatted(PosixFilePermissions.toString(permissions)));
			}
		}
		try (InputStream in = Files.newInputStream(this.file)) {
			byte[] data = in.readNBytes(MAX_BYTES + 1);
			if (data.length > MAX_BYTES) {
				throw new UnusableSnapshotException("it has more than %d bytes".formatted(MAX_BYTES));
			}
			return data;
		}
	}

	void write(byte[] data) throws IOException {
		if (data.length > MAX_BYTES) {
			throw new IOException("%d bytes (expected: at most %d)".formatted(data.length, MAX_BYTES));
		}
		if (!Files.isDirectory(this.directory)) {
			Files.createDirectories(this.directory,
					hasPermissions()
							? new FileAttribute<?>[] {
									PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")) }
							: new FileAttribute<?>[0]);
		}
		// readable by its owner only, where files have permissions
		Path temporary = Files.createTempFile(this.directory, this.file.getFileName() + ".", TEMPORARY);
		try {
			try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
				Channels.newOutputStream(channel).write(data);
				channel.force(true);
			}
			try {
				Files.move(temporary, this.file, StandardCopyOption.ATOMIC_MOVE);
			}
			catch (AtomicMoveNotSupportedException ex) {
				Files.move(temporary, this.file, StandardCopyOption.REPLACE_EXISTING);
			}
		}
		finally {
			Files.deleteIfExists(temporary);
		}
	}

	private boolean hasPermissions() {
		return this.file.getFileSystem().supportedFileAttributeViews().contains("posix");
	}

	/** Deletes temporary files of processes that were ended while they wrote. */
	void deleteAbandoned() throws IOException {
		if (!Files.isDirectory(this.directory)) {
			return;
		}
		Instant oldest = this.clock.instant().minus(ABANDONED);
		String prefix = this.file.getFileName() + ".";
		try (DirectoryStream<Path> abandoned = Files.newDirectoryStream(this.directory, (path) -> {
			String name = path.getFileName().toString();
			return name.startsWith(prefix) && name.endsWith(TEMPORARY)
					&& Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS).toInstant().isBefore(oldest);
		})) {
			for (Path path : abandoned) {
				Files.deleteIfExists(path);
			}
		}
	}

}
