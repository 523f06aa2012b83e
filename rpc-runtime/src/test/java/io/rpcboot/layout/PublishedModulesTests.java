package io.rpcboot.layout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Modules of the build that are published: all but samples and benchmarks. */
class PublishedModulesTests {

	private static final Path ROOT = Path.of("..");

	private static final String BOM = "rpc-bom";

	private static final Pattern MANAGED = Pattern
		.compile("<artifactId>(rpc-[a-z-]+)</artifactId>\\s*" + "<version>\\$\\{project\\.version}</version>");

	private static final Pattern MODULE_NAME = Pattern.compile("<java\\.module\\.name>(io\\.rpcboot\\.[a-z.]+)<");

	private static final Pattern VERSION = Pattern
		.compile("<artifactId>rpc-(?:bom|parent)</artifactId>\\s*" + "<version>([^<]+)</version>");

	@Test
	void bom_namesAllPublishedModules() throws IOException {
		List<String> managed = MANAGED.matcher(pom(BOM)).results().map((MatchResult each) -> each.group(1)).toList();
		assertThat(managed).containsExactlyInAnyOrderElementsOf(published()).doesNotHaveDuplicates();
	}

	@Test
	void bom_hasVersionOfBuild() throws IOException {
		assertThat(group(VERSION, pom(BOM))).isEqualTo(group(VERSION, pom(".")));
	}

	@Test
	void publishedModules_haveModuleNames() throws IOException {
		Set<String> names = new TreeSet<>();
		for (String module : published()) {
			assertThat(names.add(group(MODULE_NAME, pom(module)))).as("the name of %s is its own", module).isTrue();
		}
	}

	@Test
	void packages_belongToOneModule() throws IOException {
		Map<String, String> owners = new HashMap<>();
		for (String entry : Modules.packages().keySet()) {
			String[] parts = entry.split(" ");
			if (parts[1].equals("main")) {
				String other = owners.put(parts[2], parts[0]);
				assertThat(other).as("package %s is in %s", parts[2], parts[0]).isNull();
			}
		}
		assertThat(owners).containsEntry("io.rpcboot.context", "rpc-api")
			.containsEntry("io.rpcboot.client", "rpc-runtime");
	}

	private static List<String> published() throws IOException {
		return Modules.names().stream().filter((name) -> name.startsWith("rpc-") && !name.equals(BOM)).toList();
	}

	private static String pom(String module) throws IOException {
		return Files.readString(ROOT.resolve(module).resolve("pom.xml"));
	}

	private static String group(Pattern pattern, String text) {
		List<String> found = pattern.matcher(text).results().map((MatchResult each) -> each.group(1)).toList();
		assertThat(found).as(pattern.pattern()).isNotEmpty();
		return found.get(0);
	}

}
