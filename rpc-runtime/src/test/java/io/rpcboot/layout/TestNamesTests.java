package io.rpcboot.layout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Form of the names of test methods: subject, expectation and, where there is one,
 * condition, with underscores between them.
 */
class TestNamesTests {

	private static final Pattern METHOD = Pattern
		.compile("@(?:Test|ParameterizedTest|RepeatedTest)\\b[^;{}]*?(?:\\{[^;{}]*\\}[^;{}]*?)*\\bvoid (\\w+)\\(");

	private static final Pattern FORM = Pattern.compile("[a-z][A-Za-z0-9]*(?:_[a-z][A-Za-z0-9]*){1,2}");

	/** Examples that docs/testing.md prints: a user's names. */
	private static final Set<String> EXAMPLES = Set.of("OrderControllerTests", "StockTests", "ShopTests",
			"StockFaultTests");

	@Test
	void testMethods_nameSubjectExpectationAndCondition() throws IOException {
		List<String> others = new ArrayList<>();
		int methods = 0;
		for (Map.Entry<String, String> file : Modules.testTexts().entrySet()) {
			String name = file.getKey().substring(file.getKey().lastIndexOf('/') + 1).replace(".java", "");
			Matcher matcher = METHOD.matcher(file.getValue());
			while (matcher.find()) {
				methods++;
				if (!FORM.matcher(matcher.group(1)).matches() && !EXAMPLES.contains(name)) {
					others.add(name + "." + matcher.group(1));
				}
			}
		}
		assertThat(methods).isGreaterThan(2000);
		assertThat(others).isEmpty();
	}

}
