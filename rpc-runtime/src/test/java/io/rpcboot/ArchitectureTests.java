package io.rpcboot;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/** What each package may use: what it lists here, and nothing else. */
@AnalyzeClasses(packages = "io.rpcboot", importOptions = DoNotIncludeTests.class)
class ArchitectureTests {

	private static final String ROOT = "io.rpcboot";

	private static final String SERIALIZATION = "io.rpcboot.serialization";

	private static final String PROTOSTUFF = "io.rpcboot.serialization.protostuff";

	private static final String TYPES = "io.rpcboot.serialization.types";

	private static final String CONTRACT = "io.rpcboot.serialization.contract";

	private static final String JACKSON = "io.rpcboot.serialization.jackson";

	private static final String METRICS = "io.rpcboot.metrics";

	private static final String HISTORY = "io.rpcboot.metrics.history";

	private static final String MICROMETER = "io.rpcboot.metrics.micrometer";

	private static final String FLIGHT_RECORDER = "io.rpcboot.metrics.jfr";

	private static final String REGISTRY = "io.rpcboot.registry";

	private static final String ZOOKEEPER = "io.rpcboot.registry.zookeeper";

	private static final String SNAPSHOT = "io.rpcboot.registry.snapshot";

	private static final String DNS = "io.rpcboot.registry.dns";

	private static final String OPTIONS = "io.rpcboot.transport";

	private static final String CONTEXT = "io.rpcboot.context";

	private static final String INTERCEPTOR = "io.rpcboot.interceptor";

	private static final String PROTOCOL = "io.rpcboot.internal.protocol";

	private static final String CONCURRENT = "io.rpcboot.internal.concurrent";

	private static final String CALL = "io.rpcboot.internal.call";

	private static final String MEMORY = "io.rpcboot.internal.memory";

	private static final String LOADBALANCE = "io.rpcboot.loadbalance";

	private static final String RESILIENCE = "io.rpcboot.resilience";

	private static final String CLUSTER = "io.rpcboot.internal.cluster";

	private static final String TRANSPORT = "io.rpcboot.internal.transport";

	private static final String CLIENT = "io.rpcboot.client";

	private static final String SERVER = "io.rpcboot.server";

	private static final String LOGGING = "org.slf4j..";

	private static final String[] NETTY_CHANNELS = { "io.netty.bootstrap..", "io.netty.channel..",
			"io.netty.handler.." };

	@ArchTest
	static final ArchRule packagesAreFreeOfCycles = slices().matching("io.rpcboot.(**)").should().beFreeOfCycles();

	@ArchTest
	static final ArchRule everyPackageHasItsRow = classes().should()
		.resideInAnyPackage(ROOT, SERIALIZATION, TYPES, PROTOSTUFF, CONTRACT, JACKSON, METRICS, HISTORY, MICROMETER,
				FLIGHT_RECORDER, REGISTRY, ZOOKEEPER, SNAPSHOT, DNS, OPTIONS, CONTEXT, INTERCEPTOR, CALL, PROTOCOL,
				CONCURRENT, MEMORY, LOADBALANCE, RESILIENCE, CLUSTER, TRANSPORT, CLIENT, SERVER);

	@ArchTest
	static final ArchRule root = only(ROOT);

	@ArchTest
	static final ArchRule serialization = only(SERIALIZATION, ROOT, CONTRACT, CONCURRENT);

	@ArchTest
	static final ArchRule contract = only(CONTRACT, ROOT);

	@ArchTest
	static final ArchRule types = only(TYPES, ROOT, SERIALIZATION, CONTRACT, "io.protostuff");

	@ArchTest
	static final ArchRule protostuff = only(PROTOSTUFF, ROOT, SERIALIZATION, CONTRACT, TYPES, CONCURRENT,
			"io.protostuff..");

	@ArchTest
	static final ArchRule jackson = only(JACKSON, ROOT, SERIALIZATION, CONTRACT, TYPES, "tools.jackson.core..");

	@ArchTest
	static final ArchRule metrics = only(METRICS, ROOT, LOGGING);

	@ArchTest
	static final ArchRule history = only(HISTORY, ROOT, METRICS, LOGGING);

	@ArchTest
	static final ArchRule registry = only(REGISTRY, ROOT, LOGGING);

	@ArchTest
	static final ArchRule options = only(OPTIONS, ROOT, METRICS);

	@ArchTest
	static final ArchRule context = only(CONTEXT, ROOT, OPTIONS, CONCURRENT, "io.micrometer.context");

	@ArchTest
	static final ArchRule interceptor = only(INTERCEPTOR, ROOT, CONTEXT);

	@ArchTest
	static final ArchRule call = only(CALL, ROOT, SERIALIZATION, LOGGING);

	@ArchTest
	static final ArchRule protocol = only(PROTOCOL, ROOT, CONTRACT, CONTEXT, "io.netty.buffer");

	@ArchTest
	static final ArchRule concurrent = only(CONCURRENT, LOGGING);

	@ArchTest
	static final ArchRule memory = only(MEMORY, CONCURRENT);

	@ArchTest
	static final ArchRule loadbalance = only(LOADBALANCE, ROOT, REGISTRY);

	@ArchTest
	static final ArchRule resilience = only(RESILIENCE, ROOT, CONTEXT, REGISTRY, OPTIONS);

	@ArchTest
	static final ArchRule cluster = only(CLUSTER, RESILIENCE, OPTIONS);

	@ArchTest
	static final ArchRule transport = only(TRANSPORT, ROOT, METRICS, OPTIONS, PROTOCOL, MEMORY, SERIALIZATION,
			CONCURRENT, LOGGING, "io.netty..");

	@ArchTest
	static final ArchRule client = only(CLIENT, ROOT, CONTEXT, INTERCEPTOR, CALL, SERIALIZATION, CONTRACT, METRICS,
			REGISTRY, DNS, OPTIONS, PROTOCOL, CONCURRENT, MEMORY, LOADBALANCE, RESILIENCE, CLUSTER, TRANSPORT,
			PROTOSTUFF, LOGGING, "io.netty.util.collection");

	@ArchTest
	static final ArchRule server = only(SERVER, ROOT, CONTEXT, INTERCEPTOR, CALL, SERIALIZATION, CONTRACT, METRICS,
			REGISTRY, OPTIONS, PROTOCOL, CONCURRENT, MEMORY, TRANSPORT, PROTOSTUFF, LOGGING,
			"io.netty.util.collection");

	@ArchTest
	static final ArchRule dns = only(DNS, ROOT, REGISTRY, OPTIONS, LOGGING);

	@ArchTest
	static final ArchRule zookeeper = only(ZOOKEEPER, ROOT, REGISTRY, OPTIONS, LOGGING, "org.apache.curator..",
			"org.apache.zookeeper..", "javax.security.auth.login");

	@ArchTest
	static final ArchRule snapshot = only(SNAPSHOT, ROOT, REGISTRY, OPTIONS, LOGGING);

	@ArchTest
	static final ArchRule flightRecorder = only(FLIGHT_RECORDER, ROOT, METRICS, "jdk.jfr");

	@ArchTest
	static final ArchRule micrometer = only(MICROMETER, ROOT, METRICS, LOGGING, "io.micrometer..");

	@ArchTest
	static final ArchRule onlyEntryPointsNameTheDefaultSerializer = noClasses().that()
		.resideInAnyPackage(CLIENT, SERVER)
		.and()
		.haveNameNotMatching(".*\\.Rpc(Client|Server)(Builder)?")
		.should()
		.dependOnClassesThat()
		.resideInAPackage(PROTOSTUFF);

	@ArchTest
	static final ArchRule onlyTransportTouchesChannels = noClasses().that()
		.resideOutsideOfPackage(TRANSPORT)
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage(NETTY_CHANNELS);

	private static ArchRule only(String name, String... allowed) {
		return classes().that()
			.resideInAPackage(name)
			.should()
			.onlyDependOnClassesThat(describe("are of Java, JSpecify or " + String.join(", ", allowed),
					(JavaClass type) -> resideInAnyPackage("java..", "org.jspecify.annotations", name)
						.or(resideInAnyPackage(allowed))
						.test(type.getBaseComponentType()) || type.getBaseComponentType().isPrimitive()))
			.allowEmptyShould(true);
	}

}
