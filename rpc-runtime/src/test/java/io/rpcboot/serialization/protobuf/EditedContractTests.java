package io.rpcboot.serialization.protobuf;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.evolution.CompiledVersion;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Verdicts on edits of the types of a service: the table {@code protobuf/edits.txt}. */
class EditedContractTests {

	private static final String PREFIX = "evolution.Api";

	private static final String PROTO = "evolution/services.proto";

	private static final String LOCK = "META-INF/rpc/protobuf.lock";

	/** Sections of the table: comment, service, lock, edits. */
	private static final String[] SECTIONS = sections();

	@TempDir
	private Path folder;

	private static String[] sections() {
		try (InputStream in = EditedContractTests.class.getResourceAsStream("/protobuf/edits.txt")) {
			return new String(in.readAllBytes(), StandardCharsets.UTF_8).split("(?m)^= \\w+\n");
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
	}

	/** Row of the table. The last column is for buf. */
	record Edit(String name, List<String> changes, String verdict, String text) {

		static Edit of(String row) {
			String[] cells = row.split(" \\| ");
			String[] verdict = cells[2].split(" ", 2);
			return new Edit(cells[0], List.of(cells[1].split(" ; ")), verdict[0], verdict[verdict.length - 1]);
		}

		String apply(String types) {
			String edited = types;
			for (String each : this.changes) {
				String[] change = each.split(" => ?", -1);
				assertThat(edited).contains(change[0]);
				edited = edited.replace(change[0], change[1]);
			}
			return edited;
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

	static Stream<Edit> edits() {
		return SECTIONS[3].lines().map(Edit::of);
	}

	private ContractFiles files(String types) {
		return ContractFiles.of(CompiledVersion.of(types + "static Object value() { return null; }").service())
			.in(this.folder);
	}

	private String text(String file) throws IOException {
		return Files.readString(this.folder.resolve(file));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("edits")
	void edit_hasVerdict(Edit edit) throws IOException {
		Files.createDirectories(this.folder.resolve(LOCK).getParent());
		Files.writeString(this.folder.resolve(LOCK), PREFIX + SECTIONS[2]);
		files(SECTIONS[1]).write();
		String lock = text(LOCK);
		String proto = text(PROTO);
		ContractFiles edited = files(edit.apply(SECTIONS[1]));
		switch (edit.verdict) {
			case "none" -> assertThat(edited.differences()).isEmpty();
			case "proto" -> {
				assertThat(edited.differences()).singleElement().asString().startsWith(PROTO + ": line ");
				assertThat(edited.write()).hasSize(1);
				assertThat(text(LOCK)).isEqualTo(lock);
				assertThat(text(PROTO)).isNotEqualTo(proto);
			}
			case "line" -> {
				assertThat(edited.differences()).hasSize(2).first().asString().endsWith("'" + PREFIX + edit.text + "'");
				edited.write();
				assertThat(text(LOCK).lines()).contains(PREFIX + edit.text).hasSameSizeAs(lock.lines().toList());
			}
			case "type" -> {
				assertThat(edited.differences()).contains(PROTO + ": " + edit.text);
				assertRefused(edited, edit.text);
				assertThat(text(LOCK)).isEqualTo(lock);
				assertThat(text(PROTO)).isEqualTo(proto);
				return;
			}
			default -> {
				assertThat(edit.verdict).isEqualTo("refused");
				assertRefused(edited, edit.text);
				return;
			}
		}
		assertThat(edited.differences()).isEmpty();
	}

	private static void assertRefused(ContractFiles files, String text) {
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(files::write).withMessageContaining(text);
	}

}
