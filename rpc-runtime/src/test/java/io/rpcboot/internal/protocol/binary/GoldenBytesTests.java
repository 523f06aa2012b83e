package io.rpcboot.internal.protocol.binary;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.rpcboot.context.Attachments;
import io.rpcboot.serialization.contract.ContractHash;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The bytes of version 1. They never change; the document shows the same ones. */
class GoldenBytesTests {

	private static final String PREFACE = "8f525043 0001 0000";

	private static final String HELLO_BODY = "00800000 01 000a 70726f746f7374756666 0004 73686f70 2000";

	private static final String BIND_BODY = "0004 0102030405060708 f1f2f3f4f5f6f7f8"
			+ " 01 1112131415161718 2122232425262728"
			+ " 0014 636f6d2e61636d652e5573657253657276696365 000a 70726f746f7374756666";

	private static final String BIND_REPLY_BODY = "1112131415161718 2122232425262728 0001 0002 0004 676f6e65";

	private static final String CONTRACT_BODY = "70726f746f73747566662f310a6d6574686f642070696e67282920766f69640a";

	private static final ContractHash CLIENT = new ContractHash(0x0102030405060708L, 0xf1f2f3f4f5f6f7f8L);

	private static final ContractHash SERVER = new ContractHash(0x1112131415161718L, 0x2122232425262728L);

	private static final String FAILURE_BODY = "0007 6e6f2075736572"
			+ " 001f 6a6176612e6c616e672e496c6c6567616c5374617465457863657074696f6e";

	private static final String WINDOW_BODY = "0000000004000000";

	/** The frames of the document: name, header, body. */
	static Stream<Golden> frames() {
		return Stream.of(new Golden("HELLO", "00000019 01 00 0000 0000000000000000", HELLO_BODY,
				header(25, FrameType.HELLO, 0, 0, 0), new Hello(8388608, List.of("protostuff"), "shop", 8192).encode()),
				new Golden("BIND", "00000045 02 00 0010 0000000000000000", BIND_BODY,
						header(69, FrameType.BIND, 0, 16, 0),
						new Bind(4, CLIENT, List.of(SERVER), "com.acme.UserService", "protostuff").encode()),
				new Golden("BIND_REPLY", "0000001a 03 00 0000 0000000000000010", BIND_REPLY_BODY,
						header(26, FrameType.BIND_REPLY, 0, 0, 16), new BindReply(SERVER, Map.of(2, "gone")).encode()),
				new Golden("CONTRACT asked for", "00000000 0e 00 0010 0000000000000000", "",
						header(0, FrameType.CONTRACT, 0, 16, 0), new byte[0]),
				new Golden("CONTRACT", "00000020 0e 00 0010 0000000000000000", CONTRACT_BODY,
						header(32, FrameType.CONTRACT, 0, 16, 0),
						"protostuff/1\nmethod ping() void\n".getBytes(StandardCharsets.UTF_8)),
				new Golden("REQUEST with attachments", "00000015 04 03 0012 0000000000000003",
						"00000bb8 000e 06 74656e616e74 0005 6769616e74 0a",
						header(21, FrameType.REQUEST, FrameHeader.FLAG_DEADLINE | FrameHeader.FLAG_ATTACHMENTS, 18, 3),
						concat(Hex.bytes("00000bb8"),
								AttachmentsSection.encode(new Attachments().put("Tenant", "giant")), Hex.bytes("0a"))),
				new Golden("REQUEST", "00000007 04 01 0012 0000000000000001", "00000bb8 0a0b0c",
						header(7, FrameType.REQUEST, FrameHeader.FLAG_DEADLINE, 18, 1), Hex.bytes("00000bb8 0a0b0c")),
				new Golden("RESPONSE", "00000002 05 00 0000 0000000000000001", "0801",
						header(2, FrameType.RESPONSE, 0, 0, 1), Hex.bytes("0801")),
				new Golden("RESPONSE that failed", "0000002a 05 00 0040 0000000000000001", FAILURE_BODY,
						header(42, FrameType.RESPONSE, 0, 64, 1),
						new Failure("no user", "java.lang.IllegalStateException").encode()),
				new Golden("ONE_WAY", "00000005 06 01 0011 0000000000000002", "00000064 08",
						header(5, FrameType.ONE_WAY, FrameHeader.FLAG_DEADLINE, 17, 2), Hex.bytes("00000064 08")),
				new Golden("CANCEL", "00000000 07 00 0000 0000000000000003", "", header(0, FrameType.CANCEL, 0, 0, 3),
						new byte[0]),
				new Golden("PING", "00000000 08 00 0000 0000000000000001", "", header(0, FrameType.PING, 0, 0, 1),
						new byte[0]),
				new Golden("PONG", "00000000 09 00 0000 0000000000000001", "", header(0, FrameType.PONG, 0, 0, 1),
						new byte[0]),
				new Golden("WINDOW", "00000008 0a 00 0000 0000000000001000", WINDOW_BODY,
						header(8, FrameType.WINDOW, 0, 0, 4096), Window.encode(67108864)),
				new Golden("WINDOW, the answer to NEED", "00000008 0a 40 0000 0000000000001000", "0000000000810000",
						header(8, FrameType.WINDOW, FrameHeader.FLAG_ANSWERS_NEED, 0, 4096), Window.encode(8_454_144)),
				new Golden("NEED", "00000000 0f 00 0000 0000000000800000", "",
						header(0, FrameType.NEED, 0, 0, 8_388_608), new byte[0]),
				new Golden("YIELD", "00000000 10 00 0000 0000000000800000", "",
						header(0, FrameType.YIELD, 0, 0, 8_388_608), new byte[0]),
				new Golden("GO_AWAY", "00000004 0b 00 000e 0000000000000007", "73746f70",
						header(4, FrameType.GO_AWAY, 0, 14, 7), "stop".getBytes(StandardCharsets.UTF_8)),
				new Golden("GO_AWAY of an old connection", "00000003 0b 00 0000 7fffffffffffffff", "6f6c64",
						header(3, FrameType.GO_AWAY, 0, 0, Long.MAX_VALUE), "old".getBytes(StandardCharsets.UTF_8)));
	}

	record Golden(String name, String header, String body, byte[] actualHeader, byte[] actualBody) {

		@Override
		public String toString() {
			return this.name;
		}

	}

	private static byte[] header(int length, int type, int flags, int code, long callId) {
		ByteBuf out = Unpooled.buffer();
		FrameHeader.write(out, length, type, flags, code, callId);
		return ByteBufUtil.getBytes(out);
	}

	private static byte[] concat(byte[]... parts) {
		return ByteBufUtil.getBytes(Unpooled.wrappedBuffer(parts));
	}

	@ParameterizedTest
	@MethodSource("frames")
	void frame_matchesGoldenBytes(Golden golden) {
		assertThat(Hex.of(golden.actualHeader())).isEqualTo(Hex.compact(golden.header()));
		assertThat(Hex.of(golden.actualBody())).isEqualTo(Hex.compact(golden.body()));
		assertThat(golden.actualHeader()).hasSize(FrameHeader.LENGTH);
		assertThat(Unpooled.wrappedBuffer(golden.actualHeader()).getInt(0)).isEqualTo(golden.actualBody().length);
	}

	@ParameterizedTest
	@MethodSource("frames")
	void protocolDocument_showsGoldenBytes(Golden golden) throws IOException {
		assertThat(Files.readString(Path.of("../docs/protocol.md"))).contains(golden.header()).contains(golden.body());
	}

	@Test
	void preface_matchesGoldenBytesAndDocument() throws IOException {
		ByteBuf out = Unpooled.buffer();
		Preface.write(out);
		assertThat(Hex.of(ByteBufUtil.getBytes(out))).isEqualTo(Hex.compact(PREFACE));
		assertThat(out.readableBytes()).isEqualTo(Preface.LENGTH);
		assertThat(Files.readString(Path.of("../docs/protocol.md"))).contains(PREFACE);
	}

	@Test
	void headerFields_useTheirWholeRange() {
		assertThat(Hex.of(header(Integer.MAX_VALUE, 255, 255, 65535, -1)))
			.isEqualTo("7fffffff" + "ff" + "ff" + "ffff" + "ffffffffffffffff");
	}

	@Test
	void flags_areSingleBits() {
		int all = FrameHeader.FLAG_DEADLINE | FrameHeader.FLAG_ATTACHMENTS | FrameHeader.FLAG_COMPRESSED
				| FrameHeader.FLAG_NOT_EXECUTED | FrameHeader.FLAG_DECLARED_EXCEPTION;
		assertThat(all).isEqualTo(0b11111);
	}

}
