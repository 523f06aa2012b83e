package io.rpcboot.registry.snapshot;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import io.rpcboot.registry.snapshot.Snapshot.UnusableSnapshotException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SnapshotFileTests {

	@TempDir
	Path directory;

	private Path path;

	private SnapshotFile file;

	@BeforeEach
	void inADirectoryThatIsMissing() {
		this.path = this.directory.resolve("cache/rpc/shop.snapshot");
		this.file = new SnapshotFile(this.path, "zk", Duration.ofDays(1), Instant::now);
	}

	private List<Path> names() throws IOException {
		try (Stream<Path> files = Files.list(this.path.getParent())) {
			return files.map(Path::getFileName).toList();
		}
	}

	@Test
	void write_replacesFileAndLeavesNoOtherFile() throws Exception {
		assertThat(this.file.read()).isNull();
		this.file.write(new byte[] { 1, 2, 3 });
		this.file.write(new byte[] { 4 });
		assertThat(this.file.read()).containsExactly(4);
		assertThat(names()).containsExactly(Path.of("shop.snapshot"));
	}

	@Test
	@DisabledOnOs(OS.WINDOWS)
	void file_isReadableByOwnerOnly() throws Exception {
		this.file.write(new byte[1]);
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(this.path))).isEqualTo("rw-------");
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(this.path.getParent())))
			.isEqualTo("rwx------");
		Files.setPosixFilePermissions(this.path, PosixFilePermissions.fromString("rw-rw----"));
		assertThatExceptionOfType(UnusableSnapshotException.class).isThrownBy(this.file::read)
			.withMessage("others may write to it: rw-rw---- (expected: rw-------)");
	}

	@Test
	void file_isRejected_unlessRegular() throws Exception {
		Files.createDirectories(this.path);
		assertThatExceptionOfType(UnusableSnapshotException.class).isThrownBy(this.file::read)
			.withMessage("it is no regular file");
		Files.delete(this.path);
		Files.createSymbolicLink(this.path, Files.createFile(this.directory.resolve("elsewhere")));
		assertThatExceptionOfType(UnusableSnapshotException.class).isThrownBy(this.file::read);
	}

	@Test
	void file_isRejected_beyondMaximumSize() throws Exception {
		Files.createDirectories(this.path.getParent());
		try (RandomAccessFile large = new RandomAccessFile(this.path.toFile(), "rw")) {
			large.setLength(SnapshotFile.MAX_BYTES + 1L);
		}
		assertThatExceptionOfType(UnusableSnapshotException.class).isThrownBy(this.file::read)
			.withMessageContaining("more than 8388608 bytes");
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> this.file.write(new byte[SnapshotFile.MAX_BYTES + 1]));
	}

	@Test
	void abandonedTemporaryFiles_areDeleted_afterAnHour() throws Exception {
		this.file.deleteAbandoned();
		this.file.write(new byte[1]);
		Path old = Files.createFile(this.path.resolveSibling("shop.snapshot.1.tmp"));
		Files.createFile(this.path.resolveSibling("shop.snapshot.2.tmp"));
		Path other = Files.createFile(this.path.resolveSibling("other.tmp"));
		FileTime longAgo = FileTime.from(Instant.now().minusSeconds(3700));
		Files.setLastModifiedTime(old, longAgo);
		Files.setLastModifiedTime(other, longAgo);
		this.file.deleteAbandoned();
		assertThat(names()).containsExactlyInAnyOrder(Path.of("shop.snapshot"), Path.of("shop.snapshot.2.tmp"),
				Path.of("other.tmp"));
	}

}
