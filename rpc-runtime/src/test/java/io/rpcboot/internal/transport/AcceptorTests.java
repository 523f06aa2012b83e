package io.rpcboot.internal.transport;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.concurrent.EngineHealth;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class AcceptorTests {

	private final EngineHealth health = new EngineHealth();

	private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, LocalIoHandler.newFactory());

	private final EmbeddedChannel port = new EmbeddedChannel(
			new Acceptor(this.loops, new ChannelInboundHandlerAdapter(),
					new ConnectionAdmission(List.of(), List.of(), List.of(), new PerAddressLimit(1)), this.health));

	@AfterEach
	void stop() {
		this.port.close();
		this.loops.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void acceptor_continues_afterAcceptFails(boolean error) {
		for (int i = 0; i < 3; i++) {
			this.port.pipeline()
				.fireExceptionCaught(error ? new OutOfMemoryError("accept") : new IOException("Too many open files"));
			assertThat(this.port.config().isAutoRead()).isTrue();
		}
		assertThat(this.port.isOpen()).isTrue();
		assertThat(this.health.failure()).isEmpty();
	}

	/** A loop of another kind: registering fails. */
	@Test
	void connection_isClosed_whenRegistrationFails() {
		for (int i = 0; i < 3; i++) {
			NioSocketChannel child = new NioSocketChannel();
			this.port.pipeline().fireChannelRead(child);
			Eventually.until("it is closed", () -> !child.isOpen());
		}
		assertThat(this.port.config().isAutoRead()).isTrue();
		assertThat(this.port.isOpen()).isTrue();
	}

}
