package io.rpcboot.spring;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/** The rows of the package table that hold Spring. */
@AnalyzeClasses(packages = "io.rpcboot.spring", importOptions = ImportOption.DoNotIncludeTests.class)
class LayerTests {

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
				"io.rpcboot.spring.discovery", "org.springframework.cloud.client..", "org.springframework.context");

	@ArchTest
	static final ArchRule tracingIsOptional = noClasses().that()
		.resideOutsideOfPackage("io.rpcboot.spring.observation")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.micrometer.observation..", "io.micrometer.tracing..");

	@ArchTest
	static final ArchRule logsNeedOnlyTheEngine = classes().that()
		.resideInAPackage("io.rpcboot.spring.logging")
		.should()
		.onlyDependOnClassesThat()
		.resideInAnyPackage("java..", "org.jspecify..", "org.slf4j..", "io.micrometer.context", "io.rpcboot",
				"io.rpcboot.context", "io.rpcboot.interceptor", "io.rpcboot.spring.logging", "io.rpcboot.transport");

	@ArchTest
	static final ArchRule testSupportIsOptional = noClasses().that()
		.resideOutsideOfPackage("io.rpcboot.spring.test")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.test..", "org.springframework.boot.test..");

	@ArchTest
	static final ArchRule noCycles = slices().matching("io.rpcboot.(spring..)").should().beFreeOfCycles();

}
