package io.rpcboot.server;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.server.runtime.ServerOptions;
import io.rpcboot.transport.RpcConnectionListener;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests that changes of a builder after the build do not reach the server. */
class FrozenServerOptionsTests {

	public interface Greeter {

		String greet(String name);

	}

	private final RpcServerBuilder builder = RpcServer.builder().bindAddress("127.0.0.1").port(0);

	@Test
	void serverAddress_isUnchanged_afterBuilderChanges() {
		try (RpcServer server = this.builder.build()) {
			this.builder.bindAddress("192.0.2.1");
			server.bind();
			assertThat(server.port()).isPositive();
		}
	}

	@Test
	void frozenOptions_areUnchanged_afterBuilderChanges() {
		RpcConnectionListener listener = new RpcConnectionListener() {
		};
		this.builder.service(Greeter.class, (name) -> name).connectionListener(listener);
		ServerOptions frozen = this.builder.options.frozen();
		this.builder.service(ServiceDescriptor.of(Greeter.class, "2", ""), Object::new)
			.connectionListener(listener)
			.maxFrameSize(2048);
		assertThat(frozen.services).hasSize(1);
		assertThat(frozen.connectionListeners).hasSize(1);
		assertThat(frozen.maxFrameSize).isEqualTo(8 * 1024 * 1024);
		assertThat(this.builder.options.services).hasSize(2);
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(frozen.services::clear);
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(frozen.connectionListeners::clear);
	}

}
