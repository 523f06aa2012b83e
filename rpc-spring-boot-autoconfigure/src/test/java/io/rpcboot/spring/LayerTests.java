package io.rpcboot.spring;

import java.util.List;
import java.util.stream.IntStream;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/** Dependencies of the packages of Spring support: among each other and on libraries. */
@AnalyzeClasses(packages = "io.rpcboot.spring", importOptions = ImportOption.DoNotIncludeTests.class)
class LayerTests {

	private static final String ROOT = "io.rpcboot.spring";

	/**
	 * Packages from the bottom to the top. A package may use those of lower levels, not
	 * those of its own.
	 */
	private static final List<List<String>> LEVELS = List.of(
			List.of("", ".discovery", ".logging", ".serialization", ".autoconfigure.properties", ".actuate.descriptor"),
			List.of(".advice", ".observation", ".reference", ".autoconfigure.metrics", ".autoconfigure.registry",
					".autoconfigure.serialization", ".autoconfigure.ssl", ".actuate.findings"),
			List.of(".docker", ".lifecycle", ".service"), List.of(".test", ".autoconfigure.diagnostics"),
			List.of(".autoconfigure.client", ".autoconfigure.server"), List.of(".autoconfigure.relay"),
			List.of(".security", ".validation", ".autoconfigure.environment", ".actuate.endpoint"),
			List.of(".actuate.health", ".actuate.info"));

	@ArchTest
	static final ArchRule annotationsNeedOnlySpringFrameworkAndTheEngine = classes().that()
		.resideInAPackage("io.rpcboot.spring")
		.should()
		.onlyDependOnClassesThat()
		.resideInAnyPackage("java..", "org.jspecify..", "org.slf4j..", "io.rpcboot.spring", "io.rpcboot",
				"io.rpcboot.client", "io.rpcboot.context", "io.rpcboot.interceptor", "io.rpcboot.resilience",
				"io.rpcboot.serialization", "io.rpcboot.server", "io.rpcboot.transport", "org.springframework.aop..",
				"org.springframework.aot..", "org.springframework.beans..", "org.springframework.context..",
				"org.springframework.core..", "org.springframework.format..", "org.springframework.stereotype..",
				"org.springframework.util..");

	@ArchTest
	static final ArchRule nothingImportsInternals = noClasses().should()
		.dependOnClassesThat()
		.resideInAPackage("io.rpcboot.internal..");

	@ArchTest
	static final ArchRule noChannelsOutsideTheTransport = noClasses().should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.netty.channel..", "io.netty.buffer..", "io.netty.handler..");

	@ArchTest
	static final ArchRule actuatorIsOptional = noClasses().that()
		.resideOutsideOfPackage("io.rpcboot.spring.actuate..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.boot.actuate..", "org.springframework.boot.health..");

	@ArchTest
	static final ArchRule springCloudIsOptional = noClasses().that()
		.resideOutsideOfPackage("io.rpcboot.spring.discovery")
		.and()
		.haveNameNotMatching(".*\\.DiscoveryClientRegistryConfiguration.*")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.cloud..");

	@ArchTest
	static final ArchRule discoveryNeedsOnlyTheEngineAndSpringCloud = classes().that()
		.resideInAPackage("io.rpcboot.spring.discovery")
		.should()
		.onlyDependOnClassesThat()
		.resideInAnyPackage("java..", "org.jspecify..", "org.slf4j..", "io.rpcboot", "io.rpcboot.registry",
				"io.rpcboot.transport", "io.rpcboot.spring.discovery", "org.springframework.cloud.client..",
				"org.springframework.context");

	@ArchTest
	static final ArchRule tracingIsOptional = noClasses().that()
		.resideOutsideOfPackage("io.rpcboot.spring.observation")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.micrometer.observation..", "io.micrometer.tracing..");

	@ArchTest
	static final ArchRule springSecurityIsOptional = noClasses().that()
		.resideOutsideOfPackage("io.rpcboot.spring.security")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.security..");

	@ArchTest
	static final ArchRule logsNeedOnlyTheEngine = classes().that()
		.resideInAPackage("io.rpcboot.spring.logging")
		.should()
		.onlyDependOnClassesThat()
		.resideInAnyPackage("java..", "org.jspecify..", "org.slf4j..", "io.micrometer.context", "io.rpcboot",
				"io.rpcboot.context", "io.rpcboot.interceptor", "io.rpcboot.security", "io.rpcboot.spring.logging",
				"io.rpcboot.transport");

	@ArchTest
	static final ArchRule testSupportIsOptional = noClasses().that()
		.resideOutsideOfPackage("io.rpcboot.spring.test")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.test..", "org.springframework.boot.test..");

	@ArchTest
	static void packagesUseOnlyLowerLevels(JavaClasses classes) {
		assertThat(classes.stream()
			.filter(LayerTests::isClass)
			.flatMap((each) -> each.getDirectDependenciesFromSelf().stream())
			.filter((each) -> each.getTargetClass().getPackageName().startsWith(ROOT))
			.filter((each) -> !each.getTargetClass().getPackage().equals(each.getOriginClass().getPackage()))
			.filter((each) -> level(each.getTargetClass()) >= level(each.getOriginClass()))
			.map(Dependency::getDescription)).isEmpty();
	}

	@ArchTest
	static void packagesHaveOneLevel(JavaClasses classes) {
		assertThat(classes.stream()
			.filter(LayerTests::isClass)
			.map((each) -> each.getPackageName().substring(ROOT.length())))
			.containsAll(LEVELS.stream().flatMap(List::stream).toList())
			.allMatch((each) -> LEVELS.stream().anyMatch((level) -> level.contains(each)));
		assertThat(LEVELS.stream().flatMap(List::stream)).doesNotHaveDuplicates();
	}

	private static boolean isClass(JavaClass type) {
		return !type.getSimpleName().equals("package-info");
	}

	private static int level(JavaClass type) {
		String room = type.getPackageName().substring(ROOT.length());
		return IntStream.range(0, LEVELS.size())
			.filter((each) -> LEVELS.get(each).contains(room))
			.findFirst()
			.orElse(-1);
	}

}
