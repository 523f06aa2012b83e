package io.rpcboot.starter;

import io.rpcboot.spring.test.LocalRpcPort;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** An application that declares the starter and nothing else. */
@SpringBootTest(properties = "rpc.server.port=0")
@Tag("jdk25")
class StarterIntegrationTests {

	@LocalRpcPort
	private int port;

	@Autowired
	private Caller caller;

	@Test
	void call_succeeds() {
		assertThat(this.caller.greeter().greet("Ann")).isEqualTo("Hello Ann");
		assertThat(this.port).isPositive();
	}

	/** The build runs these tests a second time with netty-all, and says so. */
	@Test
	void starter_bringsOnlyUsedNettyModules() {
		assertThat(ClassUtils.isPresent("io.netty.handler.codec.http2.Http2Settings", null))
			.isEqualTo(Boolean.getBoolean("netty.all"));
	}

	@Test
	void starter_bringsNoActuatorAndNoWebServer() {
		assertThat(ClassUtils.isPresent("org.springframework.boot.actuate.endpoint.annotation.Endpoint", null))
			.isFalse();
		assertThat(ClassUtils.isPresent("org.springframework.boot.health.contributor.Health", null)).isFalse();
		assertThat(ClassUtils.isPresent("jakarta.servlet.Servlet", null)).isFalse();
	}

	@Test
	void starter_bringsNoLibrariesOfGrpc() {
		assertThat(ClassUtils.isPresent("com.google.protobuf.Message", null)).isFalse();
		assertThat(ClassUtils.isPresent("io.grpc.BindableService", null)).isFalse();
	}

}
