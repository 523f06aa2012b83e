package io.rpcboot.layout;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bounds of packages and classes in all modules but the benchmarks. Each list names the
 * violations that are left. Lists only shrink.
 */
@Tag("structure")
class LayoutTests {

	private static final int MAX_FILES = 25;

	private static final int MAX_KEPT = 3;

	/**
	 * Abstract classes that stay although they have one subclass. The protocols extend
	 * {@code OutboundFrame} in rooms of their own.
	 */
	private static final Set<String> KEPT = Set.of("OutboundFrame");

	/** Classes of statics whose methods move to the class with the fields. */
	private static final Set<String> STATICS = Set.of();

	private final MainCode code = MainCode.read();

	@Test
	void code_isFoundInAllModules() throws IOException {
		assertThat(Modules.names()).contains("rpc-api", "rpc-runtime", "rpc-spring-boot-autoconfigure",
				"samples/quickstart");
		assertThat(Modules.packages()).hasSizeGreaterThan(50)
			.containsKeys("rpc-api main io.rpcboot", "rpc-runtime test io.rpcboot.layout",
					"rpc-spring-boot-dashboard main io.rpcboot.dashboard");
		assertThat(this.code.classes()).isGreaterThan(500);
		assertThat(this.code.engineErrors()).as("the class path has all that the engine needs").isEmpty();
	}

	@Test
	void packages_haveAtMost25Files() throws IOException {
		Map<String, Integer> large = new TreeMap<>(Modules.packages());
		large.values().removeIf((files) -> files <= MAX_FILES);
		assertThat(large).isEmpty();
	}

	@Test
	void abstractClasses_doNotHaveSingleSubclass_inTheirPackage() {
		assertThat(KEPT).hasSizeLessThanOrEqualTo(MAX_KEPT);
		assertThat(ShrinkingList.problems(KEPT, this.code.abstractClassesWithOneSubclass())).isEmpty();
	}

	@Test
	void staticMethods_doNotUseFieldsOfOtherClasses() {
		Map<String, Set<String>> found = this.code.staticsOnForeignFields();
		assertThat(ShrinkingList.problems(STATICS, found.keySet())).as(found.toString()).isEmpty();
	}

}
