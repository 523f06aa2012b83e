package io.rpcboot.internal.serialization.protobuf;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Map;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.serialization.zoo.TypeZoo;
import io.rpcboot.serialization.zoo.ZooForeign;
import io.rpcboot.serialization.zoo.ZooRow;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Values of the zoo over gRPC, from a reference to a server and back. */
@Timeout(120)
@Tag("jdk25")
class GrpcTypeZooIntegrationTests {

	private static RpcServer server;

	private static RpcClient client;

	@BeforeAll
	static void start() {
		RpcServerBuilder builder = RpcServer.builder().port(0).serializer(new ProtostuffSerializer(ZooForeign.TYPES));
		TypeZoo.rows()
			.filter(GrpcTypeZooIntegrationTests::isCarried)
			.forEach((row) -> offer(builder, TypeZoo.service(row)));
		server = builder.start();
		client = RpcClient.builder()
			.serializer(new ProtostuffSerializer(ZooForeign.TYPES))
			.protocol(Protocol.GRPC)
			.build();
	}

	@AfterAll
	static void stop() {
		client.close();
		server.close();
	}

	private static boolean isCarried(ZooRow row) {
		return !ProtobufTypeZooTests.LEFT_OUT.contains(row.type());
	}

	private static <T> void offer(RpcServerBuilder builder, Class<T> service) {
		builder.service(service, service.cast(Proxy.newProxyInstance(service.getClassLoader(),
				new Class<?>[] { service }, (proxy, method, arguments) -> arguments[0])));
	}

	@Test
	void values_arriveEqual() throws Exception {
		int pairs = 0;
		for (ZooRow row : TypeZoo.rows().filter(GrpcTypeZooIntegrationTests::isCarried).toList()) {
			Class<?> service = TypeZoo.service(row);
			Object reference = client.reference(service, ReferenceStates.at(server));
			Method alone = Arrays.stream(service.getMethods())
				.filter((each) -> each.getName().equals("alone"))
				.findFirst()
				.orElseThrow();
			Map<Integer, String> refused = ProtobufTypeZooTests.REFUSED.getOrDefault(row.type(), Map.of());
			for (int i = 0; i < row.values().size(); i++) {
				Object value = row.values().get(i);
				if (refused.containsKey(i)) {
					assertRefused(catchThrowable(() -> alone.invoke(reference, value)), refused.get(i));
				}
				else {
					ProtobufTypeZooTests.assertSame(row, i, alone.invoke(reference, value), value);
					pairs++;
				}
			}
			if (!alone.getReturnType().isPrimitive()) {
				Object read = alone.invoke(reference, new Object[] { null });
				assertThat(ProtobufTypeZooTests.hasNoNull(alone.getReturnType()) ? ProtobufTypeZooTests.isEmpty(read)
						: read == null)
					.as("null of %s", row)
					.isTrue();
				pairs++;
			}
		}
		assertThat(pairs).isGreaterThan(200);
	}

	private static void assertRefused(Throwable thrown, String reason) {
		assertThat(thrown).isInstanceOf(InvocationTargetException.class);
		assertThat(thrown.getCause()).isInstanceOfAny(RpcException.class, SerializationException.class)
			.hasMessageContaining(reason);
		if (thrown.getCause() instanceof RpcException failure) {
			assertThat(failure.status()).isEqualTo(RpcStatus.INVALID_ARGUMENT);
			assertThat(failure.mayHaveExecuted()).isFalse();
		}
	}

}
