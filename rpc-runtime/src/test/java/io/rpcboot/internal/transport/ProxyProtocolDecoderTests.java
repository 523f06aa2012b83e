package io.rpcboot.internal.transport;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ProxyProtocolDecoderTests {

	private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";

	/** 10.1.2.3:4711 to 10.9.9.9:9090. */
	private static final String IPV4 = SIGNATURE + "2111000c" + "0a0102030a090909" + "12672382";

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private final List<Object> events = new ArrayList<>();

	private final ByteBuf received = Unpooled.buffer();

	private final ConnectionAdmission admission = new ConnectionAdmission(List.of(), List.of(), List.of(),
			new PerAddressLimit(1));

	private final EmbeddedChannel channel = open();

	private EmbeddedChannel open() {
		EmbeddedChannel opened = new EmbeddedChannel();
		opened.pipeline()
			.addLast(new ProxyProtocolDecoder(opened, this.admission, TIMEOUT, (client) -> serve(opened, client)));
		return opened;
	}

	private void serve(EmbeddedChannel opened, SocketAddress client) {
		this.events.add(client);
		opened.pipeline().addLast(new ChannelInboundHandlerAdapter() {

			@Override
			public void channelActive(ChannelHandlerContext context) {
				ProxyProtocolDecoderTests.this.events.add("active");
			}

			@Override
			public void channelRead(ChannelHandlerContext context, Object message) {
				ByteBuf in = (ByteBuf) message;
				ProxyProtocolDecoderTests.this.received.writeBytes(in);
				in.release();
			}

		});
	}

	@AfterEach
	void everyBufferIsReleased() {
		this.channel.finishAndReleaseAll();
	}

	private void read(String hex) {
		ByteBuf in = Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex));
		this.channel.writeInbound(in);
		this.channel.runPendingTasks();
	}

	private String received() {
		return ByteBufUtil.hexDump(this.received);
	}

	@ParameterizedTest
	@CsvSource({ IPV4 + ", 10.1.2.3, 4711", IPV4 + "0102, 10.1.2.3, 4711",
			// extensions
			SIGNATURE + "21110010" + "0a0102030a0909091267238204000102, 10.1.2.3, 4711",
			SIGNATURE + "21210024" + "20010db8000000000000000000000001fd0000000000000000000000000000021267"
					+ "2382, 2001:db8::1, 4711",
			// IPv4 as IPv6
			SIGNATURE + "21210024" + "00000000000000000000ffff0a01020300000000000000000000ffff0a0909091267"
					+ "2382, 10.1.2.3, 4711" })
	void client_isThatOfTheHeader(String hex, String host, int port) {
		read(hex);
		assertThat(this.events).containsExactly(new InetSocketAddress(host, port), "active");
		assertThat(this.channel.pipeline().get(ProxyProtocolDecoder.class)).isNull();
		assertThat(this.channel.isOpen()).isTrue();
	}

	/** A check of the proxy itself, a Unix socket, UDP, and unknown. */
	@ParameterizedTest
	@ValueSource(strings = { "20000000", "2011000c0a0102030a09090912672382", "20110000", "21000000", "2131000101",
			"2112000c0a0102030a09090912672382" })
	void client_isTheProxy_withoutAnAddress(String rest) {
		read(SIGNATURE + rest + "aabb");
		assertThat(this.events).containsExactly(this.channel.remoteAddress(), "active");
		assertThat(received()).isEqualTo("aabb");
	}

	@Test
	void protocol_receivesTheBytesAfterTheHeader_whereverTheyAreCut() {
		String all = IPV4 + "8f525043";
		for (int i = 0; i < all.length(); i += 2) {
			assertThat(this.events.isEmpty()).isEqualTo(i < IPV4.length());
			read(all.substring(i, i + 2));
		}
		assertThat(received()).isEqualTo("8f525043");
	}

	/**
	 * The native protocol, TLS, HTTP/2, version 1, other versions and commands, and too
	 * few bytes.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "8f525043", "16030100c8", "505249202a", "50524f58592054435034", "0d0a0d0b", "00",
			SIGNATURE + "11110000", SIGNATURE + "2211000c", SIGNATURE + "21110000",
			SIGNATURE + "2111000b0a0102030a09090912672382", SIGNATURE + "2121000c0a0102030a09090912672382" })
	void connection_isClosed_withoutAGoodHeader(String hex) {
		read(hex);
		assertThat(this.channel.isOpen()).isFalse();
		assertThat(this.events).isEmpty();
	}

	@Test
	void connection_isClosed_ifTheHeaderIsLate() {
		read(IPV4.substring(0, 40));
		this.channel.advanceTimeBy(4, TimeUnit.SECONDS);
		this.channel.runPendingTasks();
		assertThat(this.channel.isOpen()).isTrue();
		this.channel.advanceTimeBy(2, TimeUnit.SECONDS);
		this.channel.runPendingTasks();
		assertThat(this.channel.isOpen()).isFalse();
	}

	@Test
	void connection_isNotClosed_onceTheHeaderIsThere() {
		read(IPV4);
		this.channel.advanceTimeBy(60, TimeUnit.SECONDS);
		this.channel.runPendingTasks();
		assertThat(this.channel.isOpen()).isTrue();
	}

	@Test
	void client_countsUntilItsConnectionIsClosed() {
		read(IPV4);
		assertThat(this.admission.admit(new InetSocketAddress("10.1.2.3", 1))).isNull();
		this.channel.close();
		assertThat(this.admission.admit(new InetSocketAddress("10.1.2.3", 1))).isNotNull();
	}

	@Test
	void connection_isClosed_ifItsClientHasTooMany() {
		this.admission.admit(new InetSocketAddress("10.1.2.3", 1));
		read(IPV4 + "8f525043");
		assertThat(this.channel.isOpen()).isFalse();
		assertThat(this.events).isEmpty();
	}

}
