package io.rpcboot.internal.transport.connection;

import java.util.Arrays;
import java.util.Random;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.transport.fixture.EmbeddedConnections;
import io.rpcboot.internal.transport.fixture.RecordingListener;
import io.rpcboot.internal.transport.fixture.Wire;
import io.rpcboot.internal.transport.frame.InboundBody;
import io.rpcboot.serialization.DetachedBytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Bodies with a long value whose place is known: however they come, that is apart. */
class PlacedValueTests {

	private static final int MAX_BODY = 1024 * 1024;

	private static final int VALUE = FrameType.SHORTEST_PLACED;

	private RecordingListener handler = new RecordingListener();

	private EmbeddedChannel channel = open();

	private EmbeddedChannel open() {
		this.handler = new RecordingListener();
		return EmbeddedConnections.open(MAX_BODY, (connection) -> this.handler);
	}

	@AfterEach
	void close() {
		this.channel.finishAndReleaseAll();
	}

	private void receive(byte[] bytes) {
		this.channel.writeInbound(Unpooled.directBuffer(Math.max(1, bytes.length)).writeBytes(bytes));
	}

	private static byte[] bytes(int size) {
		byte[] bytes = new byte[size];
		new Random(size).nextBytes(bytes);
		return bytes;
	}

	/** A PLACE, and a frame with a body. */
	private static void write(ByteBuf out, int type, byte[] body, int valueLength, int behind) {
		FrameHeader.write(out, 0, FrameType.PLACE, 0, 0, FrameType.place(valueLength, behind));
		FrameHeader.write(out, body.length, type, 1, 2, 3);
		out.writeBytes(body);
	}

	private static byte[] stream(byte[] body, int valueLength, int behind) {
		ByteBuf out = Unpooled.buffer();
		FrameHeader.write(out, 0, FrameType.PING, 0, 0, 1);
		write(out, FrameType.REQUEST, body, valueLength, behind);
		FrameHeader.write(out, 0, FrameType.PING, 0, 0, 2);
		write(out, FrameType.RESPONSE, body, valueLength, behind);
		FrameHeader.write(out, 5, FrameType.RESPONSE, 0, 0, 4);
		out.writeBytes(new byte[5]);
		return ByteBufUtil.getBytes(out);
	}

	private void assertArrived(byte[] body, int valueLength, int behind) {
		assertThat(this.handler.frames).hasSize(5);
		assertThat(this.handler.frames.get(1).bodyBytes()).isEqualTo(body);
		assertThat(this.handler.frames.get(3).bodyBytes()).isEqualTo(body);
		assertThat(this.handler.announced).as("a long body is asked for").containsExactly(body.length, body.length);
		int start = body.length - behind - valueLength;
		byte[] value = Arrays.copyOfRange(body, start, start + valueLength);
		for (DetachedBytes each : this.handler.values) {
			if (each != null) {
				assertThat(each.at()).isEqualTo(start);
				assertThat(each.bytes()).isEqualTo(value);
			}
		}
		assertThat(this.handler.values.stream().filter((each) -> each != null)).hasSize(2);
		assertThat(this.channel.isOpen()).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "0, 0", "6, 0", "6, 3", "0, 70", "9000, 9000" })
	void placedValue_arrives_whenCutAtAnyOffset(int before, int behind) {
		byte[] body = bytes(before + VALUE + behind);
		byte[] stream = stream(body, VALUE, behind);
		int first = 3 * FrameHeader.LENGTH;
		int second = first + body.length + first;
		int[] ends = { 0, FrameHeader.LENGTH, 2 * FrameHeader.LENGTH, first, first + before, first + before + VALUE,
				first + body.length, second - 2 * FrameHeader.LENGTH, second - FrameHeader.LENGTH, second,
				second + before, second + before + VALUE, second + body.length, stream.length };
		for (int cut = 0; cut <= stream.length; cut++) {
			int offset = cut;
			if (cut % 499 != 0 && Arrays.stream(ends).noneMatch((end) -> Math.abs(offset - end) < 9)) {
				continue;
			}
			this.channel.finishAndReleaseAll();
			this.channel = open();
			receive(Wire.preface());
			receive(Arrays.copyOf(stream, cut));
			receive(Arrays.copyOfRange(stream, cut, stream.length));
			assertArrived(body, VALUE, behind);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 7, 1000, 16 * 1024 })
	void placedValue_arrives_whenSentInPieces(int piece) {
		byte[] body = bytes(VALUE + 50);
		byte[] stream = stream(body, VALUE, 20);
		receive(Wire.preface());
		for (int i = 0; i < stream.length; i += piece) {
			receive(Arrays.copyOfRange(stream, i, Math.min(stream.length, i + piece)));
		}
		assertArrived(body, VALUE, 20);
	}

	@Test
	void bodyWithPlace_usesTwoArrays_withoutExtraMemory() {
		int size = 500_000;
		InboundBody body = InboundBody.begin(FrameType.REQUEST, size, FrameType.place(400_000, 5), 0);
		DetachedBytes value = body.value();
		assertThat(value).isNotNull();
		assertThat(value.bytes()).hasSize(400_000);
		assertThat(body.array().length).isBetween(100_000, 100_000 + 100_000 / 8);
		assertThat(body.size()).isEqualTo(size);
	}

	@ParameterizedTest
	@CsvSource({ "8191, 0", "-1, 0", "8192, 9", "8192, -1", "9001, 0", "2147483647, 0" })
	void placeOutsideBody_closesConnection(int length, int behind) {
		receive(Wire.preface());
		ByteBuf out = Unpooled.buffer();
		write(out, FrameType.REQUEST, new byte[8200], length, behind);
		receive(ByteBufUtil.getBytes(out));
		assertEnded("PLACE of ");
	}

	@ParameterizedTest
	@ValueSource(ints = { FrameType.HELLO, FrameType.PING, FrameType.CONTRACT, FrameType.BIND_REPLY })
	void placeBeforeOtherFrame_closesConnection(int type) {
		receive(Wire.preface());
		ByteBuf out = Unpooled.buffer();
		write(out, type, new byte[30], VALUE, 0);
		receive(ByteBufUtil.getBytes(out));
		assertEnded("PLACE of 8192 bytes and 0 behind them, before a body of 30 bytes of frame type " + type);
	}

	@Test
	void placeWithBody_closesConnection() {
		receive(Wire.preface());
		ByteBuf out = Unpooled.buffer();
		FrameHeader.write(out, 1, FrameType.PLACE, 0, 0, FrameType.place(VALUE, 0));
		receive(ByteBufUtil.getBytes(out.writeByte(1)));
		assertEnded("PLACE with a body of 1 bytes");
	}

	@Test
	void secondPlace_closesConnection() {
		receive(Wire.preface());
		ByteBuf out = Unpooled.buffer();
		FrameHeader.write(out, 0, FrameType.PLACE, 0, 0, FrameType.place(VALUE, 0));
		write(out, FrameType.REQUEST, bytes(VALUE), VALUE, 0);
		receive(ByteBufUtil.getBytes(out));
		assertEnded("PLACE of nothing, or a second one (expected: the frame with the value)");
	}

	@Test
	void placeOfNothing_closesConnection() {
		receive(Wire.preface());
		ByteBuf out = Unpooled.buffer();
		FrameHeader.write(out, 0, FrameType.PLACE, 0, 0, 0);
		receive(ByteBufUtil.getBytes(out));
		assertEnded("PLACE of nothing, or a second one (expected: the frame with the value)");
	}

	@Test
	void unadmittedValue_isNotAllocated() {
		this.handler.admitting = false;
		receive(Wire.preface());
		ByteBuf out = Unpooled.buffer();
		write(out, FrameType.REQUEST, bytes(VALUE), VALUE, 0);
		FrameHeader.write(out, 0, FrameType.PING, 0, 0, 2);
		receive(ByteBufUtil.getBytes(out));
		assertThat(this.handler.announced).containsExactly(VALUE);
		assertThat(this.handler.ownBodies).isZero();
		assertThat(this.handler.frames).as("nothing more is read").isEmpty();
	}

	private void assertEnded(String why) {
		assertThat(this.channel.isOpen()).isFalse();
		assertThat(this.handler.frames).isEmpty();
		assertThat(this.handler.closed).hasSize(1);
		assertThat(this.handler.closed.get(0)).isInstanceOf(ProtocolException.class).hasMessageStartingWith(why);
	}

}
