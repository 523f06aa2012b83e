package io.rpcboot.benchmarks;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of {@link Baseline}: which class path the older build gets.
 */
class BaselineTests {

	@TempDir
	Path folder;

	@BeforeEach
	void build() throws IOException {
		create("rpc-runtime-0.1.0-SNAPSHOT.jar");
		create("rpc-spring-boot-autoconfigure-0.1.0-SNAPSHOT.jar");
	}

	@Test
	void ownModulesAreReplacedAndAllElseStays() {
		assertThat(classPath("/clone/benchmarks/target/classes", "/clone/rpc-runtime/target/classes",
				"/clone/rpc-spring-boot-autoconfigure/target/rpc-spring-boot-autoconfigure-0.1.0-SNAPSHOT.jar",
				"/clone/rpc-new-module/target/rpc-new-module-0.2.0.jar", "/clone/benchmarks/harness/target/classes",
				"/m2/rpc-benchmarks-harness-0.1.0-SNAPSHOT.jar", "/m2/netty-common-4.2.7.Final.jar"))
			.containsExactly(jar("rpc-runtime-0.1.0-SNAPSHOT.jar"),
					jar("rpc-spring-boot-autoconfigure-0.1.0-SNAPSHOT.jar"), "/clone/benchmarks/target/classes",
					"/clone/benchmarks/harness/target/classes", "/m2/rpc-benchmarks-harness-0.1.0-SNAPSHOT.jar",
					"/m2/netty-common-4.2.7.Final.jar");
	}

	@Test
	void aLibraryOfTheFolderReplacesItsOtherVersionOnly() throws IOException {
		create("netty-codec-4.1.0.Final.jar");
		assertThat(classPath("/m2/netty-codec-4.2.7.Final.jar", "/m2/netty-codec-base-4.2.7.Final.jar"))
			.contains(jar("netty-codec-4.1.0.Final.jar"), "/m2/netty-codec-base-4.2.7.Final.jar")
			.doesNotContain("/m2/netty-codec-4.2.7.Final.jar");
	}

	@Test
	void sourcesAreNoJarOfClasses() throws IOException {
		create("rpc-runtime-0.1.0-SNAPSHOT-sources.jar");
		assertThat(classPath()).doesNotContain(jar("rpc-runtime-0.1.0-SNAPSHOT-sources.jar"));
	}

	@Test
	void aFolderWithoutOneOlderBuildIsRefused() throws IOException {
		create("rpc-runtime-0.2.0.jar");
		assertThatIllegalArgumentException().isThrownBy(() -> Baseline.of(this.folder))
			.withMessageEndingWith("(expected: one version of rpc-runtime)");
		Files.delete(Path.of(jar("rpc-runtime-0.2.0.jar")));
		Files.delete(Path.of(jar("rpc-spring-boot-autoconfigure-0.1.0-SNAPSHOT.jar")));
		assertThatIllegalArgumentException().isThrownBy(() -> Baseline.of(this.folder))
			.withMessageContaining("rpc-spring-boot-autoconfigure");
		assertThatIllegalArgumentException().isThrownBy(() -> Baseline.of(this.folder.resolve("none")))
			.withMessageStartingWith("--baseline: " + this.folder);
	}

	@Test
	void theReportNamesTheCommit() throws IOException {
		assertThat(Baseline.of(this.folder).describe()).startsWith("rpc-runtime-0.1.0-SNAPSHOT.jar, ");
		Files.writeString(this.folder.resolve("commit.txt"), "7bc3ae0 2026-11-21 tests: Cancel\n");
		assertThat(Baseline.of(this.folder).describe()).startsWith("7bc3ae0 2026-11-21 tests: Cancel: rpc-runtime");
	}

	@Test
	void theSystemOfTheOlderBuildIsOursOnItsClassPath() {
		MeasuredSystem before = MeasuredSystem.of("before-loop", Baseline.of(this.folder));
		assertThat(before.name()).isEqualTo("before-loop");
		assertThat(before.implementation()).isEqualTo("ours-loop");
		assertThat(before.classPath()).startsWith(jar("rpc-runtime-0.1.0-SNAPSHOT.jar"))
			.isNotEqualTo(MeasuredSystem.of("ours-loop", Baseline.of(this.folder)).classPath());
		assertThatIllegalArgumentException().isThrownBy(() -> MeasuredSystem.of("before", null))
			.withMessageContaining("--baseline");
	}

	private String[] classPath(String... current) {
		return Baseline.of(this.folder).classPath(String.join(File.pathSeparator, current)).split(File.pathSeparator);
	}

	private void create(String name) throws IOException {
		Files.createFile(this.folder.resolve(name));
	}

	private String jar(String name) {
		return this.folder.resolve(name).toString();
	}

}
