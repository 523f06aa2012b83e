package io.rpcboot.starter.grpc;

import java.util.concurrent.TimeUnit;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.TestServiceGrpc;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** An application that declares this starter and nothing else. */
@ExtendWith(OutputCaptureExtension.class)
class GrpcStarterIntegrationTests {

	private static ConfigurableApplicationContext run(String... properties) {
		return new SpringApplicationBuilder(HostingApplication.class).web(WebApplicationType.NONE)
			.properties("rpc.server.port=0")
			.properties(properties)
			.run();
	}

	@Test
	void service_runs_withoutGrpcOfSpringBoot(CapturedOutput output) throws InterruptedException {
		try (ConfigurableApplicationContext context = run("rpc.server.grpc.host-services=true")) {
			ManagedChannel channel = NettyChannelBuilder
				.forAddress("127.0.0.1", context.getBean(RpcServer.class).port())
				.usePlaintext()
				.build();
			try {
				assertThat(TestServiceGrpc.newBlockingStub(channel)
					.withDeadlineAfter(30, TimeUnit.SECONDS)
					.unaryCall(SimpleRequest.getDefaultInstance())
					.getUsername()).isEqualTo("Doug Lea");
			}
			finally {
				channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
			}
			assertThat(output).doesNotContain(" WARN ");
		}
	}

	@Test
	void serviceThatNoServerOffers_isNamed_withoutProperty(CapturedOutput output) {
		try (ConfigurableApplicationContext context = run()) {
			assertThat(context.getBeansOfType(RpcServer.class)).isEmpty();
			assertThat(output).contains(
					"BindableService beans are offered by no server (expected: rpc.server.grpc.host-services=true)");
		}
	}

	@Test
	void starter_bringsNoServerOfGrpc() {
		assertThat(ClassUtils.isPresent("org.springframework.boot.grpc.server.GrpcServletRegistration", null))
			.isFalse();
		assertThat(ClassUtils.isPresent("io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder", null)).isFalse();
	}

}
