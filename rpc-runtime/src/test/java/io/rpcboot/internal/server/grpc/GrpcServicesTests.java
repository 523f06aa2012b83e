package io.rpcboot.internal.server.grpc;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.serialization.protobuf.schema.NumberLock;
import io.rpcboot.internal.server.services.ServiceTable.OfferedService;
import io.rpcboot.serialization.Delegate;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.TypeOptions;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.server.GrpcOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class GrpcServicesTests {

	private static final String UNITS = "java.util.concurrent.TimeUnit NANOSECONDS=7 MICROSECONDS=2 MILLISECONDS=3"
			+ " SECONDS=4 MINUTES=5 HOURS=6 DAYS=1";

	@TempDir
	Path module;

	public interface Secrets {

		Secret secret();

		record Secret(int number) {
		}

	}

	public interface Paths {

		Path parent(Path path);

	}

	public interface Units {

		TimeUnit unit();

		Thread.State state();

	}

	/** Class loader of a module with an interface and a lock. */
	private final class Module extends ClassLoader {

		Module() {
			super(GrpcServicesTests.class.getClassLoader());
		}

		Class<?> define(Class<?> type) throws IOException {
			try (InputStream in = type.getResourceAsStream("/" + type.getName().replace('.', '/') + ".class")) {
				byte[] bytes = in.readAllBytes();
				return defineClass(type.getName(), bytes, 0, bytes.length);
			}
		}

		@Override
		protected Enumeration<URL> findResources(String name) throws IOException {
			return name.equals(NumberLock.RESOURCE)
					? Collections
						.enumeration(List.of(GrpcServicesTests.this.module.resolve("protobuf.lock").toUri().toURL()))
					: Collections.emptyEnumeration();
		}

	}

	private GrpcServices withLock(String lines) throws IOException {
		Files.writeString(this.module.resolve("protobuf.lock"), lines);
		return OfferedServices.grpc(OfferedServices.of(new Module().define(Units.class)));
	}

	@Test
	void interfaceThatNoProtocolCarries_isLeftOut_withOneWarning() {
		try (LogRecorder log = new LogRecorder(OfferedServices.LOG)) {
			GrpcServices services = OfferedServices.grpc(List.of(new OfferedService(ServiceDescriptor.of(Secrets.class),
					List.of(), List.of(), Object::new, (method, protocol) -> null)));
			String name = Secrets.class.getName().replace('$', '.');
			assertThat(services.ids()).isEmpty();
			assertThat(services.files()).isEmpty();
			assertThat(new GrpcMethods(services, List.of(), Map.of(), OfferedServices.GZIP, OfferedServices.JSON)
				.whyNot("/" + name + "/Secret"))
				.contains("is not offered over gRPC", "the log of the server has the reason");
			assertThat(log.messages()).singleElement().asString().contains("all methods of " + name, "is not public");
		}
	}

	@Test
	void typesOfBuiltInSerializer_areKnown() {
		ServiceDescriptor service = ServiceDescriptor.of(Paths.class);
		TypeOptions types = TypeOptions.NONE
			.withDelegate(new Delegate<>(Path.class, String.class, Path::toString, Path::of));
		ServiceCodec known = new ProtostuffSerializer(types).codec(service);
		assertThat(OfferedServices
			.grpc(List
				.of(new OfferedService(service, List.of(), List.of(known), Object::new, (method, protocol) -> null)))
			.files()).singleElement().satisfies((file) -> assertThat(file.text()).contains("rpc Parent("));
		assertThat(new GrpcServices(
				List.of(new OfferedService(service, List.of(), List.of(), Object::new, (method, protocol) -> null)),
				GrpcOptions.defaults().withTypes(types), new RateLimitedLogger(OfferedServices.LOG, System::nanoTime))
			.files()).hasSize(1);
		assertThat(OfferedServices
			.grpc(List.of(new OfferedService(service, List.of(), List.of(), Object::new, (method, protocol) -> null)))
			.ids()).isEmpty();
	}

	@Test
	void numbersOfLock_areUsed_andMissingLinesLoggedOnce() throws IOException {
		Logger logger = (Logger) LoggerFactory.getLogger("rpc.server");
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.start();
		logger.addAppender(log);
		try {
			assertThat(withLock(UNITS).files().get(0).text()).contains("TIME_UNIT_NANOSECONDS = 7;");
		}
		finally {
			logger.detachAppender(log);
		}
		assertThat(log.list).singleElement().satisfies((event) -> {
			assertThat(event.getLevel()).isEqualTo(Level.INFO);
			assertThat(event.getFormattedMessage()).contains(
					"META-INF/rpc/protobuf.lock has no line for 1 types of gRPC", "\njava.lang.Thread$State NEW=1");
		});
	}

	@Test
	void typeThatDiffersFromLock_isRefusedAtStartUp() {
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> withLock("java.util.concurrent.TimeUnit NANOSECONDS=1"))
			.withMessageContaining("java.util.concurrent.TimeUnit NANOSECONDS=1");
	}

}
