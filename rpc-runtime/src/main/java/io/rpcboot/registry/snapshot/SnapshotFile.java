package io.rpcboot.registry.snapshot;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
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
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.rpcboot.registry.snapshot.SnapshotCodec.UnusableSnapshotException;

/**
 * A small file of this user alone that is replaced as a whole, so that whoever reads it
 * finds the old or the new one. Blocks: not for event loops.
 */
final class SnapshotFile {

	/** 50,000 instances or more. */
	static final int MOST_BYTES = 8 * 1024 * 1024;

	private static final String TEMPORARY = ".tmp";

	/** Nobody writes for so long: the process has ended meanwhile. */
	private static final Duration ABANDONED = Duration.ofHours(1);

	private final Path file;

	SnapshotFile(Path file) {
		this.file = file;
	}

	/** Null if there is none. */
	byte @Nullable [] read() throws IOException, UnusableSnapshotException {
		BasicFileAttributes attributes;
		try {
			attributes = Files.readAttributes(this.file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
		}
		catch (NoSuchFileException ignored) {
			return null;
		}
		if (!attributes.isRegularFile()) { // one that is a pipe would block
			throw new UnusableSnapshotException("it is no regular file");
		}
		if (isPosix(this.file)) {
			Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(this.file);
			if (permissions.contains(PosixFilePermission.GROUP_WRITE)
					|| permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
				throw new UnusableSnapshotException("others may write to it: %s (expected: rw-------)"
					.formatted(PosixFilePermissions.toString(permissions)));
			}
		}
		try (InputStream in = Files.newInputStream(this.file)) {
			byte[] data = in.readNBytes(MOST_BYTES + 1);
			if (data.length > MOST_BYTES) {
				throw new UnusableSnapshotException("it has more than %d bytes".formatted(MOST_BYTES));
			}
			return data;
		}
	}

	void write(byte[] data) throws IOException {
		if (data.length > MOST_BYTES) {
			throw new IOException("%d bytes (expected: at most %d)".formatted(data.length, MOST_BYTES));
		}
		Path directory = directory();
		makeDirectory(directory);
		// for its owner alone where files have permissions
		Path temporary = Files.createTempFile(directory, this.file.getFileName() + ".", TEMPORARY);
		try {
			try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
				ByteBuffer buffer = ByteBuffer.wrap(data);
				while (buffer.hasRemaining()) {
					channel.write(buffer);
				}
				channel.force(true);
			}
			replaceBy(temporary);
		}
		finally {
			Files.deleteIfExists(temporary);
		}
	}

	private void replaceBy(Path temporary) throws IOException {
		try {
			Files.move(temporary, this.file, StandardCopyOption.ATOMIC_MOVE);
		}
		catch (AtomicMoveNotSupportedException ex) {
			Files.move(temporary, this.file, StandardCopyOption.REPLACE_EXISTING);
		}
	}

	/** Remove what processes have left that were killed while they wrote. */
	void tidy(Instant now) throws IOException {
		if (!Files.isDirectory(directory())) {
			return;
		}
		String prefix = this.file.getFileName() + ".";
		try (DirectoryStream<Path> left = Files.newDirectoryStream(directory(), (path) -> {
			String name = path.getFileName().toString();
			return name.startsWith(prefix) && name.endsWith(TEMPORARY);
		})) {
			for (Path path : left) {
				FileTime modified = Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS);
				if (modified.toInstant().isBefore(now.minus(ABANDONED))) {
					Files.deleteIfExists(path);
				}
			}
		}
	}

	private Path directory() {
		Path parent = this.file.getParent();
		return (parent != null) ? parent : this.file.toAbsolutePath().getRoot();
	}

	private static void makeDirectory(Path directory) throws IOException {
		if (Files.isDirectory(directory)) {
			return;
		}
		FileAttribute<?>[] ownerOnly = directory.getFileSystem().supportedFileAttributeViews().contains("posix")
				? new FileAttribute<?>[] {
						PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")) }
				: new FileAttribute<?>[0];
		Files.createDirectories(directory, ownerOnly);
	}

	private static boolean isPosix(Path path) {
		return path.getFileSystem().supportedFileAttributeViews().contains("posix");
	}

	@Override
	public String toString() {
		return this.file.toString();
	}

}
