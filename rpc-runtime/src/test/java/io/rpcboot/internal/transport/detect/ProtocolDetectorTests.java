package io.rpcboot.internal.transport.detect;

import java.util.ArrayList;
import java.util.List;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.embedded.EmbeddedChannel;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.InboundHandler;
import io.rpcboot.internal.transport.tls.TlsContext;
import io.rpcboot.internal.transport.write.FlushPolicy;
import io.rpcboot.transport.BatchingOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ProtocolDetectorTests {

	private static final int KNOWN = 0x01020304;

	private static final byte[] BYTES = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };

	private final List<String> events = new ArrayList<>();

	private final ByteBuf received = Unpooled.buffer();

	private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInitializer<>() {
		@Override
		protected void initChannel(Channel opened) {
			Connection.install(opened, "test", new FlushPolicy(BatchingOptions.defaults()), null,
					(connection) -> new ProtocolDetector(connection, new Decision()));
		}
	});

	@AfterEach
	void everyBufferIsReleased() {
		this.channel.finishAndReleaseAll();
	}

	private void read(int from, int to) {
		ByteBuf in = Unpooled.copiedBuffer(BYTES, from, to - from);
		this.channel.writeInbound(in);
		assertThat(in.refCnt()).isZero();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 4, 5, 8, 9 })
	void protocol_receivesAllBytes_whereverTheyAreCut(int cut) {
		read(0, cut);
		if (cut < BYTES.length) {
			read(cut, BYTES.length);
		}
		assertThat(this.events).containsExactly("open", "detected 1020304", "active");
		assertThat(ByteBufUtil.getBytes(this.received)).isEqualTo(BYTES);
		assertThat(this.channel.pipeline().get(ProtocolDetector.class)).isNull();
		assertThat(this.channel.pipeline().get(Protocol.class)).isNotNull();
	}

	@Test
	void protocol_receivesAllBytes_whenTheyComeOneByOne() {
		for (int i = 0; i < BYTES.length; i++) {
			read(i, i + 1);
		}
		assertThat(this.events).containsExactly("open", "detected 1020304", "active");
		assertThat(ByteBufUtil.getBytes(this.received)).isEqualTo(BYTES);
	}

	@Test
	void nothing_isWritten_beforeProtocolIsKnown() {
		read(0, 3);
		assertThat(this.events).containsExactly("open");
		assertThat(this.channel.outboundMessages()).isEmpty();
	}

	@Test
	void unknownBytes_areAskedForOnce_andIgnored() {
		read(1, 6);
		read(0, 9);
		assertThat(this.events).containsExactly("open", "detected 2030405");
		assertThat(this.received.isReadable()).isFalse();
	}

	@Test
	void close_isReported_untilProtocolIsKnown() {
		read(0, 2);
		this.channel.close();
		assertThat(this.events).containsExactly("open", "closed");
	}

	@Test
	void close_isReportedToProtocolAlone_onceItIsKnown() {
		read(0, 9);
		this.channel.close();
		assertThat(this.events).containsExactly("open", "detected 1020304", "active", "inactive");
	}

	@Test
	void tls_isReportedOnce_whateverTheRecordHolds() {
		this.channel.writeInbound(Unpooled.wrappedBuffer(new byte[] { 0x16, 3 }));
		assertThat(this.events).containsExactly("open");
		this.channel.writeInbound(Unpooled.wrappedBuffer(new byte[] { 1, 2, 0, 1 }));
		this.channel.writeInbound(Unpooled.wrappedBuffer(new byte[] { 0x16, 3, 1, 2 }));
		assertThat(this.events).containsExactly("open", "tls");
	}

	@Test
	void failure_closesConnection() {
		this.channel.pipeline().fireExceptionCaught(new IllegalStateException("on purpose"));
		this.channel.runPendingTasks();
		assertThat(this.channel.isOpen()).isFalse();
		assertThat(this.events).containsExactly("open", "closed");
	}

	private final class Decision implements ProtocolDetector.Listener {

		@Override
		public void onOpen() {
			ProtocolDetectorTests.this.events.add("open");
		}

		@Override
		public @Nullable InboundHandler onDetected(int first) {
			ProtocolDetectorTests.this.events.add("detected " + Integer.toHexString(first));
			return (first == KNOWN) ? new Protocol() : null;
		}

		@Override
		public @Nullable TlsContext onTls() {
			ProtocolDetectorTests.this.events.add("tls");
			return null;
		}

		@Override
		public void onTlsFailed(String why) {
			ProtocolDetectorTests.this.events.add(why);
		}

		@Override
		public void onClosed() {
			ProtocolDetectorTests.this.events.add("closed");
		}

	}

	private final class Protocol extends ChannelInboundHandlerAdapter implements InboundHandler {

		@Override
		public void channelActive(ChannelHandlerContext context) {
			ProtocolDetectorTests.this.events.add("active");
		}

		@Override
		public void channelRead(ChannelHandlerContext context, Object message) {
			ByteBuf in = (ByteBuf) message;
			ProtocolDetectorTests.this.received.writeBytes(in);
			in.release();
		}

		@Override
		public void channelInactive(ChannelHandlerContext context) {
			ProtocolDetectorTests.this.events.add("inactive");
		}

		@Override
		public io.rpcboot.transport.Protocol protocol() {
			return io.rpcboot.transport.Protocol.NATIVE;
		}

		@Override
		public int reads() {
			return 0;
		}

	}

}
