package io.rpcboot.grpc;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/** Dependencies of the packages: Spring is optional, and the engine is used as API. */
@AnalyzeClasses(packages = "io.rpcboot.grpc", importOptions = ImportOption.DoNotIncludeTests.class)
class LayerTests {

	@ArchTest
	static final ArchRule generatedServicesNeedOnlyTheEngineAndTheirLibraries = classes().that()
		.resideInAPackage("io.rpcboot.grpc")
		.should()
		.onlyDependOnClassesThat()
		.resideInAnyPackage("java..", "org.jspecify..", "com.google.protobuf", "io.grpc", "io.grpc.protobuf",
				"io.rpcboot", "io.rpcboot.context", "io.rpcboot.grpc", "io.rpcboot.serialization", "io.rpcboot.server");

	@ArchTest
	static final ArchRule nothingImportsInternals = noClasses().should()
		.dependOnClassesThat()
		.resideInAPackage("io.rpcboot.internal..");

	/** An application need not have the module of Spring Boot. */
	@ArchTest
	static final ArchRule grpcOfSpringBootIsOptional = noClasses().should()
		.dependOnClassesThat()
		.resideInAPackage("org.springframework.boot.grpc..");

}
