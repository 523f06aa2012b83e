package io.rpcboot.engine.contract;

import java.time.Duration;
import java.util.List;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.NamedSerializer;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.RefusedException;
import io.rpcboot.engine.fixture.peer.Garbage;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.engine.fixture.peer.Received;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.protocol.binary.Hello;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.jackson.JacksonSerializer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.workload.UserService;
import io.rpcboot.workload.UserServiceImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Tests the choice of the serializer of a call. */
class SerializerChoiceIntegrationTests {

	private static final Serializer PROTOSTUFF = new ProtostuffSerializer();

	private static final Serializer JSON = new JacksonSerializer();

	private final RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(10)).build();

	@AfterEach
	void stop() {
		assertThat(this.client.pendingCalls()).isZero();
		this.client.close();
	}

	@Test
	void connection_carriesSeveralSerializers() {
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.serializers(PROTOSTUFF, JSON)
			.service(Calls.class, new CallsImpl())
			.service(UserService.class, new UserServiceImpl())
			.start()) {
			Calls compact = this.client.reference(Calls.class, ReferenceStates.at(server));
			assertThat(compact.greet("x")).isEqualTo("hello x");
			Calls readable = this.client.reference(Calls.class, ReferenceStates.at(server).withSerializer(JSON));
			UserService users = this.client.reference(UserService.class,
					ReferenceStates.at(server).withSerializer(JSON));
			for (int i = 0; i < 50; i++) {
				assertThat(readable.greet("y" + i)).isEqualTo("hello y" + i);
				assertThat(compact.reverse(List.of("a", "b"))).containsExactly("b", "a");
				assertThat(readable.reverse(List.of("a", "b"))).containsExactly("b", "a");
				assertThat(users.getUser(i)).usingRecursiveComparison()
					.ignoringFields("createTime", "updateTime")
					.isEqualTo(new UserServiceImpl().getUser(i));
			}
			assertThat(catchThrowableOfType(RefusedException.class, () -> readable.refuse("no"))).hasMessage("no");
			assertThat(server.connections()).hasSize(1);
			assertThat(server.services())
				.allSatisfy((service) -> assertThat(service.serializers()).containsExactly("protostuff", "json"));
			assertThat(server.services().get(0).calls()).as("of both").isEqualTo(152);
		}
	}

	@Test
	void serviceSerializers_overrideServerSerializers() {
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.service(Calls.class, new CallsImpl())
			.service(ServiceDescriptor.of(UserService.class), UserServiceImpl::new,
					ServiceOptions.defaults().withSerializers(List.of(JSON)))
			.start()) {
			Calls calls = this.client.reference(Calls.class, ReferenceStates.at(server));
			UserService refused = this.client.reference(UserService.class, ReferenceStates.at(server));
			assertThat(calls.greet("x")).isEqualTo("hello x");
			RpcException thrown = catchThrowableOfType(RpcException.class, () -> refused.existUser("a"));
			assertThat(thrown.status()).isEqualTo(RpcStatus.FAILED_PRECONDITION);
			assertThat(thrown.mayHaveExecuted()).isFalse();
			assertThat(thrown).hasMessageContaining("serializer 'protostuff' is not accepted here (expected: 'json')")
				.hasMessageContaining("add it to rpc.server.serializers");
			UserService users = this.client.reference(UserService.class,
					ReferenceStates.at(server).withSerializer(JSON));
			assertThat(users.existUser("a9")).isTrue();
			assertThat(server.connections()).hasSize(1);
		}
	}

	@Test
	void server_servesClients_withDifferentSerializers() {
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.serializers(PROTOSTUFF, new NamedSerializer("other"))
			.service(Calls.class, new CallsImpl())
			.start(); RpcClient other = RpcClient.builder().serializer(new NamedSerializer("other")).build()) {
			assertThat(other.reference(Calls.class, ReferenceStates.at(server)).greet("x")).isEqualTo("hello x");
			assertThat(this.client.reference(Calls.class, ReferenceStates.at(server)).greet("y")).isEqualTo("hello y");
		}
	}

	@Test
	void connection_endsNamingBothLists_withoutCommonSerializer() throws Exception {
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.serializers(new NamedSerializer("one"), new NamedSerializer("two"))
			.service(Calls.class, new CallsImpl())
			.start(); Peer peer = new Peer(server.port())) {
			Received goAway = peer.next();
			assertThat(goAway.type()).isEqualTo(FrameType.GO_AWAY);
			assertThat(RpcStatus.ofCode(goAway.code())).isEqualTo(RpcStatus.FAILED_PRECONDITION);
			assertThat(goAway.callId()).isZero();
			assertThat(goAway.text()).contains("'protostuff'")
				.contains("'one', 'two'")
				.contains("set rpc.server.serializers=one,two,protostuff at the server, "
						+ "or rpc.client.serializer=one at the client");
			Garbage.awaitClose(peer.socket);
		}
	}

	@Test
	void instance_isIncompatible_withoutCommonSerializer() {
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.serializers(new NamedSerializer("one"))
			.service(Calls.class, new CallsImpl())
			.start()) {
			Calls calls = this.client.reference(Calls.class, ReferenceStates.at(server));
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.greet("x"))
				.withMessageContaining("is INCOMPATIBLE (serializer: the client sends 'protostuff'")
				.satisfies((thrown) -> assertThat(thrown.mayHaveExecuted()).isFalse());
			Eventually.until("the state says it",
					() -> ReferenceStates.instances(this.client)
						.stream()
						.allMatch((each) -> each.state() == ReferenceInfo.State.INCOMPATIBLE));
		}
	}

	@Test
	void serverHello_listsAllSerializers() throws Exception {
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.service(Calls.class, new CallsImpl())
			.service(ServiceDescriptor.of(UserService.class), UserServiceImpl::new,
					ServiceOptions.defaults().withSerializers(List.of(JSON, PROTOSTUFF)))
			.start(); Peer peer = new Peer(server.port())) {
			assertThat(Hello.decode(peer.read(FrameType.HELLO).body()).serializers()).containsExactly("protostuff",
					"json");
		}
	}

	@Test
	void invalidSerializerLists_areRefused_atStartUp() {
		RpcServerBuilder builder = RpcServer.builder();
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> builder.serializers())
			.withMessageContaining("serializers: none (expected: one or more)");
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> builder.serializers(PROTOSTUFF, new NamedSerializer("protostuff")))
			.withMessageContaining("serializers: two of the name protostuff");
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> builder.service(ServiceDescriptor.of(Calls.class), CallsImpl::new,
					ServiceOptions.defaults().withSerializers(List.of(new NamedSerializer("Bad name")))))
			.withMessageContaining("services.io.rpcboot.engine.fixture.Calls.serializers: 'Bad name'");
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> RpcClient.builder().serializer(new NamedSerializer("")))
			.withMessageContaining("serializer: ''");
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> ReferenceStates.at(1).withSerializer(new NamedSerializer("x".repeat(33))))
			.withMessageContaining("serializer: '");
	}

}
