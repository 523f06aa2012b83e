package io.rpcboot.engine.transport;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.rpcboot.Endpoint;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.SocketOptions;
import io.rpcboot.transport.SocketOptions.Allocator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("jdk25")
class AllocatorsIntegrationTests {

	@ParameterizedTest
	@EnumSource
	void smallAndLargeCalls_succeed_withEachAllocator(Allocator allocator) throws Exception {
		SocketOptions socket = SocketOptions.defaults()
			.withBacklog(16)
			.withWaterMarks(64 * 1024, 256 * 1024)
			.withAllocator(allocator);
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.socket(socket)
			.service(Calls.class, new CallsImpl())
			.start(); RpcClient client = RpcClient.builder().socket(socket).build()) {
			Calls calls = client.reference(Calls.class,
					ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", server.port())));
			List<CompletableFuture<byte[]>> answers = new ArrayList<>();
			for (int i = 0; i < 200; i++) {
				answers.add(calls.echoLater(filled(i)));
			}
			for (int i = 0; i < 200; i++) {
				assertThat(answers.get(i).get(20, TimeUnit.SECONDS)).isEqualTo(filled(i));
			}
		}
	}

	private static byte[] filled(int number) {
		byte[] bytes = new byte[(number % 10 == 0) ? 200_000 : number];
		Arrays.fill(bytes, (byte) number);
		return bytes;
	}

}
