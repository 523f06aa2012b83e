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

	/** Files of a small package: two classes and {@code package-info.java}. */
	private static final int SMALL_FILES = 3;

	/** Files of a package without classes: {@code package-info.java}. */
	private static final int NO_CLASS = 1;

	private static final int MAX_KEPT = 3;

	/** Small packages of main code, each with the reason why it is no part of another. */
	private static final Map<String, String> SMALL = Map.ofEntries(
			Map.entry("rpc-grpc main io.rpcboot.grpc.spring", "needs Spring Boot, its module does not"),
			Map.entry("rpc-runtime main io.rpcboot.internal.client.grpc", "knows types, the connections do not"),
			Map.entry("rpc-runtime main io.rpcboot.internal.client.security", "used by pools and by connections"),
			Map.entry("rpc-runtime main io.rpcboot.internal.logging", "used by both sides"),
			Map.entry("rpc-runtime main io.rpcboot.internal.protocol", "common to the protocols"),
			Map.entry("rpc-runtime main io.rpcboot.internal.server.interceptor", "used by scheduling and by calls"),
			Map.entry("rpc-runtime main io.rpcboot.internal.transport.detect", "comes before all protocols"),
			Map.entry("rpc-runtime main io.rpcboot.serialization.jackson", "public"),
			Map.entry("rpc-runtime main io.rpcboot.serialization.protostuff", "public"),
			Map.entry("rpc-spring-boot-autoconfigure main io.rpcboot.spring.actuate.info", "as in Actuator"),
			Map.entry("rpc-spring-boot-autoconfigure main io.rpcboot.spring.advice", "used by server and services"),
			Map.entry("rpc-spring-boot-autoconfigure main io.rpcboot.spring.autoconfigure.ssl",
					"used by client and server"),
			Map.entry("rpc-spring-boot-autoconfigure main io.rpcboot.spring.validation", "needs Jakarta Validation"));

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
	void smallPackages_haveReason() throws IOException {
		Map<String, Integer> small = new TreeMap<>(Modules.packages());
		small.entrySet()
			.removeIf((each) -> each.getValue() > SMALL_FILES || each.getValue() == NO_CLASS
					|| !each.getKey().contains(" main ") || each.getKey().startsWith("samples/"));
		assertThat(ShrinkingList.problems(SMALL.keySet(), small.keySet())).isEmpty();
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
