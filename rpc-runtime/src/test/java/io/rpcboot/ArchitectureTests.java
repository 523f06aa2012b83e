package io.rpcboot;

import java.util.Set;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rooms of the engine: its packages, from the bottom to the top, and what each may use. A
 * row names rooms of earlier rows and libraries, so no cycle can be written down.
 * <p>
 * Four public packages are two rooms: their values, which {@code internal} imports, and
 * the entry points, which import {@code internal}.
 */
@AnalyzeClasses(packages = "io.rpcboot", importOptions = DoNotIncludeTests.class)
@ArchTag("structure")
class ArchitectureTests {

	private static final Set<String> ENTRY_POINTS = Set.of("RpcClient", "RpcClientBuilder", "Broadcast", "RpcServer",
			"RpcServerBuilder", "RpcHistory", "ZooKeeperRegistry", "RpcRelay", "RpcRelayBuilder");

	private static final Set<String> PACKAGES_WITH_ENTRY_POINTS = Set.of("client", "server", "metrics.history",
			"registry.zookeeper", "relay");

	private static final String CLIENT_OR_SERVER = "(internal\\.)?(client|server)(\\.\\w+)*";

	private static final Rooms ROOMS = new Rooms(ArchitectureTests::room).room("rpcboot")
		.room("internal.context")
		.room("internal.text")
		.room("internal.limit")
		.room("context", "internal.context", "rpcboot", "javax.naming.ldap", "javax.security.auth.x500")
		.room("internal.concurrent", "internal.context", "org.slf4j..")
		.room("metrics", "rpcboot", "org.slf4j..")
		.room("transport", "context", "metrics", "rpcboot", "javax.net.ssl", "io.netty.handler.ssl")
		.room("security", "context", "rpcboot", "transport")
		.room("registry", "rpcboot", "transport", "org.slf4j..")
		.room("serialization.contract", "rpcboot")
		.room("serialization", "internal.concurrent", "rpcboot", "serialization.contract")
		.room("interceptor", "context", "rpcboot")
		.room("resilience", "context", "registry", "rpcboot", "transport")
		.room("loadbalance", "registry", "rpcboot")
		.room("registry.dns", "registry", "rpcboot", "transport", "org.slf4j..")
		.room("client", "interceptor", "registry", "registry.dns", "resilience", "rpcboot", "security", "serialization",
				"transport")
		.room("internal.call", "context", "interceptor", "internal.context", "rpcboot", "serialization",
				"io.micrometer.context", "org.slf4j..")
		.room("internal.stream", "context", "metrics", "rpcboot", "transport", "org.slf4j..", "reactor.adapter",
				"reactor.core.publisher")
		.room("internal.memory", "internal.concurrent")
		.room("internal.transport.eventloop", "internal.concurrent", "internal.context", "transport", "io.netty..",
				"org.slf4j..")
		.room("internal.net", "transport", "io.netty.util")
		.room("internal.protocol", "internal.text")
		.room("internal.protocol.binary", "context", "internal.protocol", "internal.text", "security",
				"serialization.contract", "io.netty.buffer")
		.room("internal.protocol.http2", "internal.limit", "io.netty.buffer")
		.room("internal.transport.frame", "internal.memory", "serialization", "transport", "io.netty..")
		.room("internal.transport.write", "metrics", "transport", "internal.transport.*", "io.netty..", "org.slf4j..")
		.room("internal.transport.tls", "context", "internal.net", "internal.text", "metrics", "rpcboot", "transport",
				"io.netty..", "javax.net.ssl", "javax.security.auth.x500", "org.slf4j..")
		.room("internal.transport.connection", "context", "internal.memory", "metrics", "rpcboot", "transport",
				"internal.transport.*", "io.netty..", "javax.net.ssl", "org.slf4j..")
		.room("internal.transport.detect", "internal.net", "transport", "internal.transport.*", "io.netty..")
		.room("internal.transport.binary", "internal.memory", "internal.protocol", "internal.protocol.binary",
				"transport", "internal.transport.*", "io.netty..")
		.room("internal.client.limits", "client", "internal.concurrent", "internal.limit", "internal.memory", "rpcboot",
				"transport", "internal.transport.*")
		.room("internal.logging", "internal.text", "metrics", "rpcboot", "org.slf4j..")
		.room("internal.client.call", "context", "internal.call", "internal.client.limits", "internal.concurrent",
				"internal.context", "internal.logging", "internal.memory", "internal.stream", "metrics", "resilience",
				"rpcboot", "serialization", "serialization.contract", "transport", "internal.transport.*",
				"org.slf4j..")
		.room("internal.client.contract", "internal.memory", "rpcboot", "serialization", "serialization.contract",
				"transport")
		.room("internal.client.security", "internal.logging", "internal.text", "internal.transport.tls", "security",
				"transport")
		.room("internal.transport", "internal.concurrent", "internal.logging", "internal.net", "metrics", "rpcboot",
				"transport", "internal.transport.*", "io.netty..")
		.room("internal.client.runtime", "client", "interceptor", "internal.concurrent", "internal.logging",
				"internal.memory", "internal.stream", "internal.transport", "loadbalance", "metrics", "registry",
				"registry.dns", "resilience", "rpcboot", "security", "serialization", "transport", "internal.client.*")
		.room("internal.client.outlier", "resilience", "transport")
		.room("internal.client.connection", "context", "internal.client.outlier", "internal.concurrent",
				"internal.limit", "internal.logging", "internal.memory", "internal.transport", "metrics", "rpcboot",
				"serialization.contract", "transport", "internal.transport.*", "internal.client.*")
		.room("internal.client.connection.binary", "context", "internal.concurrent", "internal.memory",
				"internal.protocol", "internal.protocol.binary", "internal.text", "metrics", "resilience", "rpcboot",
				"security", "serialization", "serialization.contract", "transport", "internal.transport.*",
				"internal.client.*", "io.netty.buffer", "org.slf4j..")
		.room("internal.client.pool", "client", "internal.concurrent", "internal.logging", "internal.transport",
				"registry", "rpcboot", "transport", "internal.transport.*", "internal.client.*", "org.slf4j..")
		.room("internal.client.retry", "client", "context", "internal.client.outlier", "internal.limit", "metrics",
				"resilience", "rpcboot", "transport", "internal.client.*")
		.room("internal.client.routing", "client", "internal.client.outlier", "internal.concurrent", "internal.logging",
				"internal.transport", "internal.transport.connection", "loadbalance", "metrics", "registry",
				"registry.dns", "resilience", "rpcboot", "transport", "internal.client.*", "org.slf4j..")
		.room("internal.client.reference", "client", "context", "interceptor", "internal.call", "internal.concurrent",
				"internal.context", "internal.logging", "internal.memory", "internal.stream",
				"internal.transport.eventloop", "loadbalance", "metrics", "registry", "resilience", "rpcboot",
				"serialization", "transport", "internal.client.*", "org.slf4j..")
		.room("internal.client.broadcast", "client", "context", "internal.call", "internal.concurrent",
				"internal.stream", "rpcboot", "internal.client.*")
		.room("internal.serialization.types.value", "internal.memory", "serialization", "serialization.contract")
		.room("internal.serialization.types.kind", "internal.serialization.types.value", "internal.transport.eventloop",
				"serialization", "serialization.contract")
		.room("internal.serialization.types.graph", "rpcboot", "serialization", "serialization.contract",
				"internal.serialization.types.*")
		.room("internal.serialization.types.walk", "rpcboot", "serialization", "serialization.contract",
				"internal.serialization.types.*", "io.protostuff..")
		.room("internal.serialization.types", "rpcboot", "serialization", "serialization.contract",
				"internal.serialization.types.*")
		.room("internal.serialization.protostuff.wire", "internal.serialization.types",
				"internal.serialization.types.value", "serialization", "io.protostuff..")
		.room("internal.serialization.protostuff.scalar", "internal.serialization.protostuff.wire", "serialization",
				"serialization.contract", "internal.serialization.types.*", "io.protostuff..")
		.room("internal.serialization.protostuff.composite", "serialization", "serialization.contract",
				"internal.serialization.types.*", "internal.serialization.protostuff.*", "io.protostuff..")
		.room("internal.serialization.protostuff", "internal.concurrent", "internal.serialization.types",
				"serialization", "serialization.contract", "internal.serialization.types.*",
				"internal.serialization.protostuff.*", "io.protostuff..")
		.room("internal.serialization.protobuf.wire", "internal.serialization.protostuff.wire",
				"internal.serialization.types", "serialization", "io.protostuff..")
		.room("internal.protocol.grpc", "context", "internal.memory", "internal.protocol.http2",
				"internal.serialization.protobuf.wire", "internal.text", "resilience", "rpcboot", "serialization")
		.room("internal.protocol.connect", "internal.protocol.grpc", "internal.text", "rpcboot")
		.room("internal.transport.http2", "internal.protocol.http2", "rpcboot", "transport", "internal.transport.*",
				"io.netty..")
		.room("internal.transport.http2.message", "internal.memory", "internal.protocol.grpc",
				"internal.protocol.http2", "internal.stream", "rpcboot", "transport", "internal.transport.*",
				"io.netty.buffer")
		.room("internal.transport.http1", "internal.protocol", "internal.protocol.http2", "internal.text", "transport",
				"internal.transport.*", "io.netty..")
		.room("internal.client.connection.http2", "context", "internal.memory", "internal.protocol.grpc",
				"internal.protocol.http2", "internal.stream", "internal.text", "metrics", "resilience", "rpcboot",
				"security", "serialization", "transport", "internal.transport.*", "internal.client.*",
				"io.netty.buffer")
		.room("internal.serialization.protobuf.schema", "internal.serialization.protobuf.wire", "rpcboot",
				"serialization", "serialization.contract")
		.room("internal.serialization.protobuf.scalar", "rpcboot", "serialization", "serialization.contract",
				"internal.serialization.protobuf.*", "internal.serialization.types.*", "io.protostuff..")
		.room("internal.serialization.protobuf.composite", "rpcboot", "serialization", "serialization.contract",
				"internal.serialization.protobuf.*", "internal.serialization.types.*", "io.protostuff..")
		.room("internal.serialization.protobuf", "internal.call", "internal.concurrent", "internal.serialization.types",
				"internal.text", "rpcboot", "serialization", "serialization.contract",
				"internal.serialization.protobuf.*", "internal.serialization.types.*", "io.protostuff..")
		.room("internal.client.grpc", "internal.client.contract", "internal.memory", "internal.protocol.grpc",
				"internal.serialization.protobuf", "internal.serialization.protobuf.schema", "rpcboot", "serialization",
				"serialization.contract")
		.room("serialization.protostuff", "internal.serialization.protostuff", "internal.serialization.types",
				"internal.serialization.types.walk", "rpcboot", "serialization")
		.room("serialization.protobuf", "internal.serialization.protobuf", "internal.serialization.protobuf.schema",
				"rpcboot", "serialization")
		.room("client entry", "client", "context", "interceptor", "internal.concurrent", "internal.stream",
				"internal.transport", "loadbalance", "metrics", "registry", "registry.dns", "resilience", "rpcboot",
				"security", "serialization", "serialization.protostuff", "transport", "internal.transport.*",
				"internal.client.*", "org.slf4j..")
		.room("metrics.history", "metrics", "rpcboot")
		.room("internal.metrics.history.call", "metrics", "metrics.history", "rpcboot")
		.room("internal.registry.zookeeper.node", "internal.text", "registry", "rpcboot", "transport",
				"org.apache.curator..", "org.apache.zookeeper..")
		.room("registry.zookeeper", "internal.registry.zookeeper.node", "rpcboot", "transport",
				"javax.security.auth.login", "org.apache.zookeeper..")
		.room("internal.registry.zookeeper.directory", "internal.registry.zookeeper.node", "internal.text", "registry",
				"registry.zookeeper", "rpcboot", "org.apache.zookeeper..", "org.slf4j..")
		.room("internal.server.interceptor", "context", "interceptor", "internal.call", "internal.stream", "rpcboot")
		.room("server", "context", "interceptor", "internal.net", "registry", "rpcboot", "security", "serialization",
				"transport")
		.room("internal.server.access", "context", "internal.call", "internal.limit", "internal.logging",
				"internal.net", "internal.text", "rpcboot", "security", "server")
		.room("internal.server.scheduling", "context", "internal.call", "internal.concurrent", "internal.limit",
				"internal.server.interceptor", "internal.transport.frame", "metrics", "rpcboot", "serialization",
				"server", "transport")
		.room("internal.server.services", "interceptor", "internal.call", "internal.limit", "internal.logging",
				"internal.memory", "internal.protocol", "internal.stream", "metrics", "rpcboot", "serialization",
				"serialization.contract", "server", "transport", "internal.server.*")
		.room("internal.server.builtin", "internal.serialization.protobuf.schema",
				"internal.serialization.protobuf.wire", "internal.text", "rpcboot", "serialization", "server",
				"internal.server.access", "org.slf4j..")
		.room("internal.serialization.json", "rpcboot", "serialization", "serialization.contract",
				"internal.serialization.types", "internal.serialization.types.*", "tools.jackson.core..")
		.room("internal.serialization.protobuf.json", "internal.serialization.json",
				"internal.serialization.protobuf.wire", "internal.serialization.types",
				"internal.serialization.types.value", "internal.text", "serialization", "io.protostuff..",
				"tools.jackson.core..")
		.room("internal.server.openapi", "internal.protocol.connect", "internal.serialization.protobuf.json",
				"internal.serialization.protobuf.schema", "rpcboot", "serialization", "tools.jackson.core..")
		.room("internal.server.grpc", "context", "internal.logging", "internal.memory", "internal.protocol.connect",
				"internal.protocol.grpc", "internal.serialization.protobuf", "internal.serialization.protobuf.json",
				"internal.serialization.protobuf.schema", "internal.text", "metrics", "rpcboot", "serialization",
				"serialization.contract", "server", "transport", "internal.server.*", "org.slf4j..")
		.room("internal.server.runtime", "context", "interceptor", "internal.call", "internal.concurrent",
				"internal.logging", "internal.memory", "internal.stream", "internal.transport.frame", "metrics",
				"registry", "rpcboot", "security", "serialization", "server", "transport", "internal.server.*")
		.room("internal.server.call", "context", "interceptor", "internal.call", "internal.concurrent",
				"internal.context", "internal.logging", "internal.memory", "internal.stream", "internal.text",
				"metrics", "rpcboot", "security", "serialization", "serialization.contract", "server",
				"internal.transport.*", "internal.server.*")
		.room("internal.server.connection", "context", "internal.concurrent", "internal.logging", "internal.protocol",
				"internal.text", "metrics", "rpcboot", "transport", "internal.transport.*", "internal.server.*")
		.room("internal.server.connection.binary", "context", "internal.memory", "internal.net", "internal.protocol",
				"internal.protocol.binary", "rpcboot", "security", "serialization", "serialization.contract", "server",
				"transport", "internal.transport.*", "internal.server.*", "io.netty.buffer", "io.netty.util.collection")
		.room("internal.server.connection.http2", "context", "interceptor", "internal.call", "internal.logging",
				"internal.memory", "internal.protocol.connect", "internal.protocol.grpc", "internal.protocol.http2",
				"internal.stream", "metrics", "rpcboot", "security", "serialization", "server", "transport",
				"internal.transport.*", "internal.server.*", "io.netty.buffer")
		.room("internal.server.connection.http2.limits", "internal.limit", "internal.protocol.http2",
				"internal.server.runtime", "internal.transport.http2")
		.room("internal.server.connection.http1", "context", "internal.protocol", "internal.protocol.connect",
				"internal.protocol.grpc", "internal.protocol.http2", "internal.transport", "rpcboot", "security",
				"server", "transport", "internal.transport.*", "internal.server.*", "io.netty.buffer")
		.room("internal.server.lifecycle", "internal.concurrent", "internal.context", "internal.net", "internal.text",
				"internal.transport", "internal.transport.eventloop", "registry", "rpcboot", "server", "transport",
				"internal.server.*", "org.slf4j..")
		.room("metrics.history entry", "internal.metrics.history.call", "metrics", "metrics.history", "rpcboot",
				"org.slf4j..")
		.room("metrics.jfr", "metrics", "rpcboot", "jdk.jfr")
		.room("metrics.micrometer", "metrics", "rpcboot", "io.micrometer..", "org.slf4j..")
		.room("registry.snapshot", "registry", "rpcboot", "transport", "org.slf4j..")
		.room("registry.zookeeper entry", "internal.registry.zookeeper.directory", "internal.registry.zookeeper.node",
				"registry", "registry.zookeeper", "rpcboot", "org.apache.curator..", "org.apache.zookeeper..",
				"org.slf4j..")
		.room("serialization.jackson", "internal.serialization.json", "internal.serialization.types",
				"internal.serialization.types.walk", "rpcboot", "serialization")
		.room("server entry", "interceptor", "internal.concurrent", "internal.logging", "internal.transport", "metrics",
				"registry", "rpcboot", "security", "serialization", "serialization.protostuff", "server", "transport",
				"internal.transport.*", "internal.server.*", "org.slf4j..")
		.room("relay", "client", "context", "rpcboot", "transport")
		.room("internal.relay.http2", "client", "context", "internal.client.call", "internal.client.connection.http2",
				"internal.client.reference", "internal.protocol.connect", "internal.protocol.grpc",
				"internal.protocol.http2", "internal.server.connection.http2", "internal.transport.frame",
				"internal.transport.http2", "relay", "resilience", "rpcboot", "transport")
		.room("relay entry", "client", "client entry", "internal.call", "internal.client.reference",
				"internal.relay.http2", "relay", "rpcboot", "server", "server entry", "transport");

	@ArchTest
	static void roomsUseOnlyWhatTheirRowsName(JavaClasses classes) {
		assertThat(ROOMS.violations(classes)).isEmpty();
	}

	@ArchTest
	static void rowsNameOnlyWhatTheirRoomsUse(JavaClasses classes) {
		assertThat(ROOMS.unused(classes)).isEmpty();
	}

	@ArchTest
	static final ArchRule onlyEntryPointsNameTheDefaultSerializer = noClasses()
		.that(describe("are of the client or the server, and no entry points",
				(JavaClass type) -> room(type).matches(CLIENT_OR_SERVER)))
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.rpcboot.serialization.protostuff..", "io.rpcboot.internal.serialization.protostuff..",
				"io.rpcboot.internal.serialization.types..");

	/** gRPC has no other serializer than protobuf, and OpenAPI describes its messages. */
	@ArchTest
	static final ArchRule onlyGrpcNamesProtobuf = noClasses()
		.that(describe("are of the client or the server, and not of gRPC",
				(JavaClass type) -> room(type).matches(CLIENT_OR_SERVER)
						&& !room(type).matches(".*\\.(grpc|builtin|openapi)")))
		.should()
		.dependOnClassesThat()
		.resideInAPackage("io.rpcboot.internal.serialization.protobuf..");

	@ArchTest
	static final ArchRule onlyTheNativeProtocolNamesItsFrames = noClasses().that()
		.resideOutsideOfPackages("io.rpcboot.internal.protocol.binary", "io.rpcboot.internal.transport.binary",
				"io.rpcboot.internal.server.connection.binary", "io.rpcboot.internal.client.connection.binary")
		.should()
		.dependOnClassesThat()
		.haveNameMatching(".*\\.Frame(Type|Header)");

	@ArchTest
	static final ArchRule onlyEntryPointsNameTheConnectionsOfProtocols = noClasses()
		.that(describe("are neither entry points nor of a protocol",
				(JavaClass type) -> !room(type)
					.matches(".* entry|internal\\.\\w+(\\.connection)?\\.(binary|http1|http2(\\.(message|limits))?)")))
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.rpcboot.internal.transport.binary", "io.rpcboot.internal.*.connection.binary",
				"io.rpcboot.internal.transport.http2..", "io.rpcboot.internal.*.connection.http2");

	@ArchTest
	static final ArchRule onlyTransportTouchesChannels = noClasses().that()
		.resideOutsideOfPackage("io.rpcboot.internal.transport..")
		.and()
		.doNotHaveFullyQualifiedName("io.rpcboot.transport.TlsOptions") // takes Netty's
																		// SslContext
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.netty.bootstrap..", "io.netty.channel..", "io.netty.handler..");

	/** The name of a class's room: its package without the prefix of the project. */
	private static String room(JavaClass type) {
		String name = type.getPackageName().equals("io.rpcboot") ? "rpcboot"
				: type.getPackageName().substring("io.rpcboot.".length());
		JavaClass outermost = type;
		while (outermost.getEnclosingClass().isPresent()) {
			outermost = outermost.getEnclosingClass().get();
		}
		boolean entry = PACKAGES_WITH_ENTRY_POINTS.contains(name) && !type.getSimpleName().equals("package-info")
				&& (!outermost.getModifiers().contains(JavaModifier.PUBLIC)
						|| ENTRY_POINTS.contains(outermost.getSimpleName()));
		return entry ? name + " entry" : name;
	}

}
