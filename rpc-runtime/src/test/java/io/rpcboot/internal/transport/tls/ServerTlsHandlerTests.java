package io.rpcboot.internal.transport.tls;

import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.Queue;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.rpcboot.engine.fixture.Authority;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

class ServerTlsHandlerTests {

	/** A client that knows TLS 1.0 alone. */
	private static final String OLD_HELLO = "160301002f0100002b0301000000000000000000000000000000000000000000000000000"
			+ "000000000000000000400ff002f0100";

	private final Queue<Runnable> computations = new ArrayDeque<>();

	/** At the end of the pipeline Netty would log it with its stack trace. */
	@Test
	void failureOfAComputation_isDropped_onceTheConnectionIsClosed() throws Exception {
		EmbeddedChannel channel = new EmbeddedChannel(
				new ServerTlsHandler(SslContextBuilder.forServer(new Authority().here().keys())
					.sslProvider(SslProvider.JDK)
					.build()
					.newEngine(ByteBufAllocator.DEFAULT), this.computations::add));
		channel.writeInbound(Unpooled.wrappedBuffer(HexFormat.of().parseHex(OLD_HELLO)));
		assertThat(this.computations).hasSize(1);
		channel.close();
		channel.checkException();
		this.computations.remove().run();
		channel.runPendingTasks();
		assertThatCode(channel::checkException).doesNotThrowAnyException();
		channel.finishAndReleaseAll();
	}

}
