package io.rpcboot.internal.server.grpc;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.server.services.ServiceTable;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.GrpcHandler;
import io.rpcboot.server.GrpcServiceDefinition;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceOptions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class HostedServiceTests {

	private static final GrpcHandler ECHO = (call) -> CompletableFuture.completedFuture(call.message());

	private static GrpcServiceDefinition service(String name) {
		return new GrpcServiceDefinition(name, Map.of("Say", ECHO, "Ask", ECHO),
				Map.of("Listen", (call, requests) -> requests));
	}

	private static GrpcMethods methods(String name) {
		return new GrpcMethods(OfferedServices.grpc(List.of()), List.of(OfferedServices.hosted(service(name))),
				Map.of("/grpc.health.v1.Health/Check", (responses) -> null), OfferedServices.GZIP,
				OfferedServices.JSON);
	}

	@Test
	void descriptor_hasMethodsUnderTheirOwnNames() {
		ServiceDescriptor descriptor = HostedService.descriptor(service("acme.Talk"));
		assertThat(descriptor.id()).hasToString("acme.Talk");
		assertThat(descriptor.methods()).extracting(MethodDescriptor::signature)
			.containsExactly("Ask(byte[])", "Listen(java.util.concurrent.Flow$Publisher)", "Say(byte[])");
		assertThat(descriptor.methods()).extracting(MethodDescriptor::isStreaming).containsExactly(false, true, false);
	}

	@Test
	void paths_leadToMethods() {
		GrpcMethods methods = methods("acme.Talk");
		assertThat(methods.find("/acme.Talk/Say").isHosted()).isTrue();
		assertThat(methods.find("/acme.Talk/Listen").isHosted()).isTrue();
		assertThat(methods.whyNot("/acme.Talk/Sing")).endsWith("(offered: Ask, Listen, Say)");
		assertThat(methods.services()).contains("acme.Talk");
	}

	@Test
	void nativeClient_isToldThatServiceIsOfGrpcAlone() {
		GrpcServiceDefinition talk = service("acme.Talk");
		ServiceTable table = OfferedServices
			.table(Map.of(HostedService.descriptor(talk), HostedService.registration(talk, ServiceOptions.defaults())));
		assertThat(table.find("acme.Talk", "protostuff")).isNull();
		assertThat(table.whyNot("acme.Talk", "protostuff").message()).contains("acme.Talk is offered over gRPC alone");
		assertThat(table.serializers()).containsExactly("protostuff");
	}

	@Test
	void serviceOfServerItself_isRefused() {
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> methods("grpc.health.v1.Health"))
			.withMessageContaining("two services are named grpc.health.v1.Health")
			.satisfies((ex) -> assertThat(ex.action()).contains("grpc.health"));
	}

	@Test
	void optionOfUnknownMethod_isRefused() {
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> RpcServer.builder()
				.grpcService(service("acme.Talk"), ServiceOptions.defaults().withDispatch("say", Dispatch.EVENT_LOOP)))
			.withMessageContaining("'say'")
			.withMessageContaining("Ask, Listen, Say");
	}

	@Test
	void codec_passesBytes_andRefusesOthers() {
		OutputBuffer out = new OutputBuffer(new byte[16], 1024);
		BytesCodec.INSTANCE.serializeResult(new byte[] { 1, 2 }, out);
		assertThat(out.toByteArray()).containsExactly(1, 2);
		assertThat(BytesCodec.INSTANCE.deserializeArguments(new byte[] { 9, 1, 2, 9 }, 1, 2))
			.containsExactly(new byte[] { 1, 2 });
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> BytesCodec.INSTANCE.serializeResult(null, out));
	}

}
