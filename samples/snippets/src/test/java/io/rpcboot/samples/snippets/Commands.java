package io.rpcboot.samples.snippets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks that what commands of a page name exists. */
final class Commands {

	private static final Pattern WORD = Pattern.compile("(?:\"[^\"]*\"|'[^']*'|[^\\s\"'])+");

	private static final Pattern OPTION = Pattern.compile("--([\\w.-]+)(?:=(.*))?");

	private static final Set<String> GOALS = Set.of("compile", "verify", "install", "package", "deploy", "test",
			"spring-boot:run", "exec:java");

	/** Properties of Maven's own plugins. */
	private static final Set<String> MAVEN = Set.of("skipTests", "test", "it.test", "surefire.failIfNoSpecifiedTests",
			"failsafe.failIfNoSpecifiedTests", "exec.args", "exec.classpathScope", "altDeploymentRepository");

	private static final Set<String> ENDPOINTS = Set.of("rpc", "rpcdashboard", "health", "prometheus", "refresh");

	private final Path page;

	private final Path folder;

	Commands(Path page) {
		this.page = page;
		this.folder = Snippet.ROOT.resolve(page).getParent();
	}

	void check(String text) throws IOException {
		for (String line : text.replaceAll("\\\\\n\\s*", " ").lines().map(String::strip).toList()) {
			String command = line.replaceFirst("(^|\\s)#.*", "");
			if (!command.isEmpty()) {
				check(words(command));
			}
		}
	}

	private static List<String> words(String command) {
		return WORD.matcher(command)
			.results()
			.map((word) -> word.group().replaceAll("[\"']", ""))
			.takeWhile((word) -> !word.equals(">"))
			.toList();
	}

	private void check(List<String> words) throws IOException {
		List<String> arguments = words.subList(1, words.size());
		switch (words.get(0)) {
			case "mvn" -> maven(arguments);
			case "java" -> java(arguments);
			case "python3" -> script(arguments.get(0));
			case "grpcurl", "openssl", "pip", "npm", "printf" -> assertThat(arguments).isNotEmpty();
			case "node" -> script(arguments.get(0));
			case "cp" -> exists(arguments.get(arguments.size() - 1));
			case "prometheus", "promtool" -> files(arguments);
			case "curl" -> endpoint(arguments.get(arguments.size() - 1));
			case "jcmd" -> assertThat(arguments.get(1)).startsWith("JFR.");
			case "jfr" -> assertThat(arguments.get(2).split(",")).allSatisfy(Commands::isLiteral);
			default -> assertThat(Snippet.ROOT.resolve(words.get(0))).as("a program of this project").isExecutable();
		}
	}

	private void maven(List<String> arguments) throws IOException {
		for (int i = 0; i < arguments.size(); i++) {
			String word = arguments.get(i);
			if (word.equals("-pl")) {
				i++;
				for (String module : arguments.get(i).split(",")) {
					assertThat(Snippet.ROOT.resolve(module).resolve("pom.xml")).exists();
				}
			}
			else if (word.startsWith("-P")) {
				assertThat(poms()).contains("<id>%s</id>".formatted(word.substring(2).replaceFirst("^!", "")));
			}
			else if (word.startsWith("-D")) {
				property(word.substring(2).split("=", 2));
			}
			else if (word.contains(":") && !GOALS.contains(word)) {
				assertThat(poms()).contains("<artifactId>%s</artifactId>".formatted(word.split(":")[1]));
			}
			else if (!word.equals("-am")) {
				assertThat(GOALS).contains(word);
			}
		}
	}

	private static String poms() {
		return Project.all().stream().map(Project::pom).collect(Collectors.joining("\n"));
	}

	private void property(String[] property) {
		String name = property[0];
		String value = (property.length > 1) ? property[1] : "";
		if (name.equals("test") || name.equals("it.test")) {
			tests(value);
		}
		else if (name.equals("bench.what")) {
			assertThat(poms()).contains("<value>%s</value>".formatted(value));
		}
		else if (name.equals("bench.args")) {
			options(value, Snippet.ROOT.resolve("benchmarks"));
		}
		else if (name.equals("exec.mainClass")) {
			assertThat(Snippet.files(Snippet.ROOT, ".java")).as(value)
				.anyMatch((each) -> each.endsWith(value.replace('.', '/') + ".java"));
		}
		else if (!MAVEN.contains(name)) {
			assertThat(poms() + sources(Snippet.ROOT)).contains(name);
		}
	}

	private static void tests(String classes) {
		List<String> names = Snippet.files(Snippet.ROOT, ".java")
			.stream()
			.map((file) -> file.getFileName().toString().replace(".java", ""))
			.toList();
		for (String name : classes.equals("NONE") ? new String[0] : classes.split(",")) {
			assertThat(names).anyMatch((each) -> each.matches(name.replaceFirst("#.*", "").replace("*", ".*")));
		}
	}

	private static String sources(Path folder) {
		return Stream.of(".java", ".properties")
			.flatMap((suffix) -> Snippet.files(folder, suffix).stream())
			.map(Snippet::read)
			.collect(Collectors.joining("\n"));
	}

	private static void isLiteral(String name) {
		assertThat(sources(Snippet.ROOT)).contains('"' + name + '"');
	}

	/** A name is a property, or a literal of the sources. */
	private static void options(String words, Path sources) {
		for (String word : words.split(" ")) {
			Matcher option = OPTION.matcher(word);
			assertThat(option.matches()).as(word).isTrue();
			if (!KnownProperties.isKnown(option.group(1))) {
				assertThat(sources(sources)).as(word).containsPattern("\\b" + Pattern.quote(option.group(1)) + "\\b");
			}
		}
	}

	/** The jar is one of a module, or of the application on the page. */
	private void java(List<String> arguments) throws IOException {
		assertThat(arguments.get(0)).isEqualTo("-jar");
		Path jar = Path.of(arguments.get(1));
		Path module = jar.getParent().getParent();
		List<String> rest = arguments.subList(2, arguments.size());
		if (module == null) {
			assertThat(Snippet.read(Snippet.ROOT.resolve(this.page))).contains("<artifactId>%s</artifactId>"
				.formatted(jar.getFileName().toString().replaceFirst("-[\\d.]+jar$", "")));
			for (String word : rest) {
				KnownProperties.assertBound(word.substring(2), "properties");
			}
			return;
		}
		Project project = Project.of(Snippet.ROOT.resolve(module).resolve("pom.xml"));
		assertThat(jar.getFileName().toString()).startsWith(project.artifactId() + "-");
		if (!rest.isEmpty()) {
			options(String.join(" ", rest), Snippet.ROOT.resolve(module));
		}
	}

	private void exists(String file) {
		assertThat(List.of(Snippet.ROOT.resolve(file), this.folder.resolve(file))).as(file).anyMatch(Files::exists);
	}

	/** A script without a folder may be a sample that the page shows. */
	private void script(String file) {
		if (!file.startsWith("-") && !Files.exists(Snippet.ROOT.resolve("samples/interop").resolve(file))) {
			exists(file);
		}
	}

	private void files(List<String> arguments) {
		for (String word : arguments) {
			String file = word.substring(word.indexOf('=') + 1);
			if (file.endsWith(".yml")) {
				exists(file);
			}
		}
	}

	private static void endpoint(String address) {
		List<String> elements = Arrays.asList(address.split("/"));
		int actuator = elements.indexOf("actuator");
		if (actuator >= 0) {
			assertThat(ENDPOINTS).contains(elements.get(actuator + 1));
		}
	}

}
