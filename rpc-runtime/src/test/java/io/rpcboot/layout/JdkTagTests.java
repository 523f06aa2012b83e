package io.rpcboot.layout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The build runs tests with the tag {@code jdk25} on JDK 25 as well. A test class has it
 * if a case depends on the version of Java, or a class of its module that it uses does:
 * such a case would run nowhere if the build has JDK 17.
 */
class JdkTagTests {

	private static final Pattern CONDITION = Pattern
		.compile("Runtime\\.version\\(\\)|\\bJRE\\.JAVA_|@(En|Dis)abledForJre|@(En|Dis)abledOnJre");

	private static final Pattern TEST = Pattern.compile("@(Parameterized)?Test\\b");

	/** A test that names the condition, or takes a dispatch, which may be VIRTUAL. */
	private static final Pattern DEPENDENT_TEST = Pattern
		.compile(CONDITION.pattern() + "|\\bDispatch \\w+[,)]|\\bVIRTUAL\\b");

	/** Condition of a test that JDK 25 would skip. */
	private static final String OLDER_ONLY = "@EnabledForJreRange\\(max = JRE\\.JAVA_20\\)";

	private static final String TAG = "@Tag(\"jdk25\")";

	/** Text of each test file by its path. */
	private static Map<String, String> texts;

	@BeforeAll
	static void readTestCode() throws IOException {
		texts = new TreeMap<>(Modules.testTexts());
		texts.keySet().removeIf((path) -> path.endsWith("/JdkTagTests.java"));
	}

	@Test
	void testClasses_haveTag_ifJavaVersionDecidesAboutCases() {
		List<String> dependent = dependent();
		assertThat(dependent).hasSizeGreaterThan(20)
			.anyMatch((path) -> path.endsWith("/ContextParameterIntegrationTests.java"));
		assertThat(dependent).filteredOn((path) -> !texts.get(path).contains(TAG)).isEmpty();
	}

	/** Other methods of a class whose tests alone have the tag run on JDK 17 only. */
	@Test
	void testMethods_haveTag_ifTheirClassHasNone() {
		List<String> members = texts.entrySet()
			.stream()
			.filter((file) -> isTest(file.getKey()) && file.getValue().contains(TAG) && !hasTagOfClass(file.getValue()))
			.flatMap((file) -> Arrays.stream(file.getValue().replaceAll(OLDER_ONLY, "").split("\n\n")))
			.filter((member) -> TEST.matcher(member).find() && DEPENDENT_TEST.matcher(member).find())
			.toList();
		assertThat(members).hasSizeGreaterThan(10).allMatch((member) -> member.contains(TAG));
	}

	private static boolean hasTagOfClass(String text) {
		return text.contains("\n" + TAG);
	}

	@Test
	void typeZoos_haveTag() {
		assertThat(texts.keySet()).filteredOn((path) -> path.matches(".*TypeZoo\\w*Tests\\.java"))
			.hasSizeGreaterThan(3)
			.filteredOn((path) -> !texts.get(path).contains(TAG))
			.isEmpty();
	}

	/** Paths of test classes with cases that depend on the version of Java. */
	private static List<String> dependent() {
		Set<String> fixtures = new TreeSet<>();
		boolean grows = true;
		while (grows) {
			grows = false;
			for (String path : texts.keySet()) {
				grows |= !isTest(path) && depends(path, fixtures) && fixtures.add(path);
			}
		}
		List<String> result = new ArrayList<>();
		texts.keySet().stream().filter((path) -> isTest(path) && depends(path, fixtures)).forEach(result::add);
		return result;
	}

	private static boolean depends(String path, Set<String> fixtures) {
		String text = texts.get(path);
		return CONDITION.matcher(text).find() || fixtures.stream()
			.filter((fixture) -> module(fixture).equals(module(path)))
			.anyMatch((fixture) -> Pattern.compile("\\b" + name(fixture) + "\\b").matcher(text).find());
	}

	private static boolean isTest(String path) {
		return path.endsWith("Tests.java");
	}

	private static String module(String path) {
		return path.substring(0, path.indexOf("/src/test/"));
	}

	private static String name(String path) {
		return path.substring(path.lastIndexOf('/') + 1, path.length() - ".java".length());
	}

}
