package io.rpcboot.samples.snippets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Checks each snippet of each page by its language: Java stands in a class that a test
 * compiles, properties are bound, POMs name artifacts that exist, commands name files,
 * modules and options that exist. A language without a check is refused.
 */
class DocumentationTests {

	private static final Set<String> LANGUAGES = Set.of("java", "yaml", "properties", "xml", "groovy", "sh", "json",
			"python", "javascript", "text");

	private static final Pattern CODE = Pattern.compile("(mvn|java|curl|import|package|public|@\\w+|<\\w+>) .*"
			+ "|(rpc|spring|management)\\.[\\w.-]+[=:].*|.*[;{]$");

	/** Shows the login configuration of Java, which has no other name. */
	private static final Pattern LOGIN = Pattern.compile("Client \\{\n.*\n};\n");

	private static final Set<String> ELEMENTS = Set.of("project", "modelVersion", "parent", "groupId", "artifactId",
			"version", "relativePath", "properties", "rpc.version", "dependencyManagement", "dependencies",
			"dependency", "scope", "type", "build", "plugins", "plugin", "extensions", "extension", "configuration",
			"protocArtifact", "pluginId", "pluginArtifact", "executions", "execution", "goals", "goal");

	private static final Pattern COORDINATES = Pattern.compile("'io\\.rpcboot:([\\w-]+):([\\w.-]+)'");

	private static final Project PARENT = Project.of("rpc-parent");

	private static final List<String> sources = new ArrayList<>();

	@BeforeAll
	static void readSources() {
		Snippet.files(Snippet.ROOT, ".java")
			.stream()
			.filter((file) -> file.toString().contains("/src/test/java/"))
			.forEach((file) -> sources.add(Snippet.plain(Snippet.read(file))));
	}

	static List<Snippet> all() {
		return Snippet.all();
	}

	@ParameterizedTest
	@MethodSource("all")
	void language_hasCheck(Snippet snippet) {
		assertThat(LANGUAGES).contains(snippet.language());
	}

	static List<Snippet> java() {
		return Snippet.of("java").stream().filter((snippet) -> !snippet.text().startsWith("package ")).toList();
	}

	@ParameterizedTest
	@MethodSource("java")
	void java_isInTest(Snippet snippet) {
		String text = Snippet.plain(snippet.text());
		assertThat(sources.stream().anyMatch((source) -> source.contains(text))).as("a test holds%n%s", text).isTrue();
	}

	/** samples/first-day/run.py runs them. */
	@Test
	void classesOfPackage_areCompiledTogether(@TempDir Path directory) throws IOException {
		List<Path> files = new ArrayList<>();
		for (Snippet snippet : Snippet.of("java")) {
			Matcher name = Pattern.compile("^(?:public )?(?:class|interface) (\\w+)", Pattern.MULTILINE)
				.matcher(snippet.text());
			if (snippet.text().startsWith("package ") && name.find()) {
				files.add(Files.writeString(directory.resolve(name.group(1) + ".java"), snippet.text()));
			}
		}
		assertThat(files).hasSize(5);
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
			List<String> options = List.of("-proc:none", "-parameters", "-d", directory.toString(), "-classpath",
					System.getProperty("java.class.path"));
			assertThat(compiler.getTask(null, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
				.call()).as("compiles").isTrue();
		}
	}

	static Stream<Snippet> properties() {
		return Stream.of("properties", "yaml")
			.flatMap((language) -> Snippet.of(language).stream())
			.filter((snippet) -> !snippet.text().startsWith("apiVersion: "));
	}

	@ParameterizedTest
	@MethodSource("properties")
	void properties_areBound(Snippet snippet) throws IOException {
		KnownProperties.assertBound(snippet.text(), snippet.language());
	}

	/** A test of the page compares them with the defaults of the code. */
	@Test
	void manifests_areParsed() {
		for (Snippet snippet : Snippet.of("yaml")) {
			if (snippet.text().startsWith("apiVersion: ")) {
				assertThat(new Yaml().loadAll(snippet.text())).as(snippet.toString())
					.allSatisfy(
							(each) -> assertThat((Map<?, ?>) each).extracting("kind", "metadata").doesNotContainNull());
			}
		}
	}

	static List<Snippet> xml() {
		return Snippet.of("xml");
	}

	@ParameterizedTest
	@MethodSource("xml")
	void xml_namesArtifacts(Snippet snippet) {
		String text = snippet.text().startsWith("<project") ? snippet.text()
				: "<project>%s</project>".formatted(snippet.text());
		NodeList elements = Project.parse(text).getElementsByTagName("*");
		for (int i = 0; i < elements.getLength(); i++) {
			Element element = (Element) elements.item(i);
			assertThat(ELEMENTS).contains(element.getTagName());
			if (Project.text(element, "groupId").equals("io.rpcboot")) {
				Project project = Project.of(Project.text(element, "artifactId"));
				assertThat(Project.text(element, "version")).isIn(project.version(), "${rpc.version}");
				assertThat(Project.text(element, "type")).isEqualTo(project.isPom() ? "pom" : "");
			}
			if (Project.text(element, "artifactId").equals("spring-boot-starter-parent")) {
				assertThat(Project.text(element, "version")).isEqualTo(PARENT.springBoot());
			}
			if (element.getTagName().equals("rpc.version")) {
				assertThat(element.getTextContent()).isEqualTo(PARENT.version());
			}
		}
	}

	static List<Snippet> groovy() {
		return Snippet.of("groovy");
	}

	/** There is no Gradle in the build. */
	@ParameterizedTest
	@MethodSource("groovy")
	void groovy_namesArtifacts(Snippet snippet) {
		Matcher coordinates = COORDINATES.matcher(snippet.text());
		while (coordinates.find()) {
			assertThat(Project.of(coordinates.group(1)).version()).isEqualTo(coordinates.group(2));
		}
		assertThat(snippet.text().chars().filter((each) -> each == '{').count())
			.isEqualTo(snippet.text().chars().filter((each) -> each == '}').count());
	}

	static List<Snippet> sh() {
		return Snippet.of("sh");
	}

	@ParameterizedTest
	@MethodSource("sh")
	void commands_nameWhatExists(Snippet snippet) throws IOException {
		new Commands(snippet.page()).check(snippet.text());
	}

	/** The threat model names tests that show it. */
	@Test
	void testsOfThreatModel_exist() {
		List<String> names = Snippet.files(Snippet.ROOT, "Tests.java")
			.stream()
			.map((file) -> file.getFileName().toString().replace(".java", ""))
			.toList();
		assertThat(
				Pattern.compile("`(\\w+Tests)`").matcher(Snippet.read(Snippet.ROOT.resolve("SECURITY.md"))).results())
			.hasSizeGreaterThan(20)
			.extracting((name) -> name.group(1))
			.isSubsetOf(names);
	}

	@Test
	void json_isParsed() {
		assertThat(Snippet.of("json")).isNotEmpty()
			.allSatisfy((snippet) -> JsonMapper.shared().readTree(snippet.text()));
	}

	/**
	 * {@code PythonClientIntegrationTests} runs the sample of the native protocol,
	 * {@code run.py} those of gRPC.
	 */
	@Test
	void python_isSampleOrCallsFunctionsOfIt() {
		String sample = samples("samples/python", ".py");
		String clients = samples("samples/interop", ".py");
		for (Snippet snippet : Snippet.of("python")) {
			Matcher call = Pattern.compile("\\.(\\w+)\\(").matcher(snippet.text());
			while (!clients.contains(snippet.text()) && call.find()) {
				assertThat(sample).as(snippet.toString()).containsPattern("(def|class) " + call.group(1) + "\\b");
			}
		}
	}

	@Test
	void javascript_isSample() {
		String clients = samples("samples/interop", ".js");
		assertThat(Snippet.of("javascript")).isNotEmpty()
			.allSatisfy((snippet) -> assertThat(clients).contains(snippet.text()));
	}

	private static String samples(String folder, String suffix) {
		return Snippet.files(Snippet.ROOT.resolve(folder), suffix)
			.stream()
			.map(Snippet::read)
			.collect(Collectors.joining("\n"));
	}

	@Test
	void text_isNoCode() {
		assertThat(Snippet.of("text")).filteredOn((snippet) -> !LOGIN.matcher(snippet.text()).matches())
			.allSatisfy((snippet) -> assertThat(snippet.text().lines())
				.noneMatch((line) -> CODE.matcher(line.strip()).matches()));
	}

}
