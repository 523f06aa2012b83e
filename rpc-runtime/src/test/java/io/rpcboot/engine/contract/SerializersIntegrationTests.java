package io.rpcboot.engine.contract;

import java.util.List;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.RefusedException;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.jackson.JacksonSerializer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** One server, one client, every serializer. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("jdk25")
class SerializersIntegrationTests {

	private static final List<Serializer> SERIALIZERS = List.of(new ProtostuffSerializer(), new JacksonSerializer());

	private final CallsImpl implementation = new CallsImpl();

	private RpcServer server;

	private RpcClient client;

	static List<Serializer> serializers() {
		return SERIALIZERS;
	}

	@BeforeAll
	void start() {
		this.server = RpcServer.builder()
			.port(0)
			.maxFrameSize(64 * 1024)
			.serializers(SERIALIZERS.toArray(Serializer[]::new))
			.service(Calls.class, this.implementation)
			.build();
		this.server.start();
		this.client = RpcClient.builder().maxFrameSize(64 * 1024).build();
	}

	@AfterAll
	void stop() {
		this.client.close();
		this.server.close();
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void calls_returnCorrectResults_withEachSerializer(Serializer serializer) throws Exception {
		Calls calls = this.client.reference(Calls.class, ReferenceStates.at(this.server).withSerializer(serializer));
		assertThat(calls.greet("Doug \ud83d\ude00")).isEqualTo("hello Doug \ud83d\ude00");
		assertThat(calls.greet(null)).isEqualTo("hello null");
		assertThat(calls.add(40, 2)).isEqualTo(42);
		assertThat(calls.reverse(List.of("a", "b"))).containsExactly("b", "a");
		assertThat(calls.echo(new byte[] { 1, 2, -3 })).containsExactly(1, 2, -3);
		calls.nothing();
		assertThat(calls.later("Doug").get()).isEqualTo("later Doug");
		assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> calls.refuse("no"))
			.withMessageContaining("no");
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.grow(1024 * 1024))
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.INTERNAL));
		assertThat(calls.greet("again")).isEqualTo("hello again");
	}

}
