package io.rpcboot.internal.protocol.binary;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractHash;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FrameBodyTests {

	record Body(String name, Object value, byte[] bytes, Function<byte[], Object> decoder) {

		@Override
		public String toString() {
			return this.name;
		}

	}

	static Stream<Body> bodies() {
		Hello hello = new Hello(1, List.of("protostuff", "json"), "größe \uD83D\uDE00", 0xffff);
		Hello largest = new Hello(Integer.MAX_VALUE, List.of(), "", 0);
		ContractHash hash = new ContractHash(Long.MIN_VALUE, -1);
		Bind bind = new Bind(65535, hash, List.of(new ContractHash(1, 2), hash), "com.acme.UserService:2@blue", "json");
		Bind knowsNone = new Bind(0, hash, List.of(), "", "");
		BindReply reply = new BindReply(hash, Map.of(65535, "müde", 0, ""));
		BindReply complete = new BindReply(hash, Map.of());
		Failure failure = new Failure("müde", "java.io.IOException");
		return Stream.of(new Body("HELLO", hello, hello.encode(), Hello::decode),
				new Body("HELLO with the largest number", largest, largest.encode(), Hello::decode),
				new Body("BIND", bind, bind.encode(), Bind::decode),
				new Body("BIND that knows no contract", knowsNone, knowsNone.encode(), Bind::decode),
				new Body("BIND_REPLY", reply, reply.encode(), BindReply::decode),
				new Body("BIND_REPLY that refuses nothing", complete, complete.encode(), BindReply::decode),
				new Body("RESPONSE", failure, failure.encode(), Failure::decode),
				new Body("WINDOW", Long.MAX_VALUE, Window.encode(Long.MAX_VALUE), Window::decode));
	}

	@ParameterizedTest
	@MethodSource("bodies")
	void body_roundTrips(Body body) {
		assertThat(body.decoder().apply(body.bytes())).isEqualTo(body.value());
	}

	@ParameterizedTest
	@MethodSource("bodies")
	void truncatedBody_isRejected_atEveryOffset(Body body) {
		boolean isHello = body.value() instanceof Hello;
		for (int length = 0; length < body.bytes().length; length++) {
			int missing = body.bytes().length - length;
			if (isHello && missing == 2) {
				continue; // as of a side that knows no attachments
			}
			byte[] cut = Arrays.copyOf(body.bytes(), length);
			assertThatExceptionOfType(ProtocolException.class).as("%d bytes", length)
				.isThrownBy(() -> body.decoder().apply(cut))
				.withMessageEndingWith("truncated body");
		}
	}

	@Test
	void hello_disablesAttachments_withoutTheirField() {
		byte[] hello = new Hello(1, List.of("json"), "shop", 8192).encode();
		Hello older = Hello.decode(Arrays.copyOf(hello, hello.length - 2));
		assertThat(older).isEqualTo(new Hello(1, List.of("json"), "shop", 0));
	}

	/** A later version may append fields. */
	@ParameterizedTest
	@MethodSource("bodies")
	void unknownTrailingFields_areIgnored(Body body) {
		byte[] longer = Arrays.copyOf(body.bytes(), body.bytes().length + 5);
		assertThat(body.decoder().apply(longer)).isEqualTo(body.value());
	}

	/** Every byte set to every extreme: a value or a ProtocolException, nothing else. */
	@ParameterizedTest
	@MethodSource("bodies")
	void damagedBody_isDecodedOrRejected_atEveryOffset(Body body) {
		for (int i = 0; i < body.bytes().length; i++) {
			for (int value : new int[] { 0, 1, 0x7f, 0x80, 0xff }) {
				byte[] damaged = body.bytes().clone();
				damaged[i] = (byte) value;
				try {
					assertThat(body.decoder().apply(damaged)).isNotNull();
				}
				catch (ProtocolException expected) {
					assertThat(expected).hasMessageContaining(":");
				}
			}
		}
	}

	@Test
	void negativeNumbers_areRejected() {
		assertThatExceptionOfType(ProtocolException.class)
			.isThrownBy(() -> Hello.decode(new Hello(-1, List.of("protostuff"), "", 0).encode()))
			.withMessage("HELLO: negative number");
		assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> Window.decode(Window.encode(-1)))
			.withMessage("WINDOW: negative number");
	}

	@Test
	void excessKnownContracts_areRejected() {
		List<ContractHash> eight = Collections.nCopies(Bind.MAX_KNOWN, new ContractHash(1, 2));
		assertThat(Bind.decode(new Bind(1, new ContractHash(1, 2), eight, "s", "p").encode()).known()).hasSize(8);
		List<ContractHash> nine = Collections.nCopies(Bind.MAX_KNOWN + 1, new ContractHash(1, 2));
		assertThatExceptionOfType(ProtocolException.class)
			.isThrownBy(() -> Bind.decode(new Bind(1, new ContractHash(1, 2), nine, "s", "p").encode()))
			.withMessage("BIND: more than 8 known contracts");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 15, 16, 17, 100, 520, 521, 4096, 65535 })
	void refusedMethods_fitControlFrame(int count) {
		int chars = BindReply.maxChars(count);
		Map<Integer, String> refused = new HashMap<>();
		for (int i = 0; i < count; i++) {
			refused.put(i, "€".repeat(chars));
		}
		assertThat(chars).isBetween((count <= 500) ? 40 : 0, 4000);
		if (count <= Contract.MAX_METHODS) {
			refused.replaceAll((index, why) -> (chars > 0) ? why : BindReply.NO_ROOM);
			assertThat(new BindReply(new ContractHash(1, 2), refused).encode()).hasSizeLessThanOrEqualTo(64 * 1024);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 21845, 21846, 65535, 65536, 1_000_000 })
	void longText_isTruncated_withoutAffectingOtherFields(int length) {
		Failure read = Failure.decode(new Failure("€".repeat(length), "T").encode());
		assertThat(read.message()).isEqualTo("€".repeat(Math.min(length, 21845)));
		assertThat(read.type()).isEqualTo("T");
	}

	@Test
	void truncation_keepsSurrogatePairsWhole() {
		String text = "a".repeat(21844) + "\uD83D\uDE00" + "b";
		assertThat(Failure.decode(new Failure(text, "").encode()).message()).isEqualTo("a".repeat(21844));
	}

	@Test
	void invalidUtf8_isReplaced() {
		assertThat(Failure.decode(Hex.bytes("0002 fffe 0000")).message()).isEqualTo("\uFFFD\uFFFD");
	}

	@Test
	void remainingTime_isUnsigned() {
		assertThat(FrameHeader.remainingMillis(Hex.bytes("00000bb8"), 0)).isEqualTo(3000);
		assertThat(FrameHeader.remainingMillis(Hex.bytes("80000000"), 0)).isEqualTo(0x80000000L);
		assertThat(FrameHeader.remainingMillis(Hex.bytes("ffffffff"), 0)).isEqualTo(0xffffffffL);
	}

	@Test
	void attachments_areSkipped() {
		assertThat(AttachmentsSection.skip(Hex.bytes("0003 010203 09"), 0, 6)).isEqualTo(5);
		assertThat(AttachmentsSection.skip(Hex.bytes("00000bb8 0000"), 4, 6)).isEqualTo(6);
	}

	@Test
	void truncatedAttachments_areRejected_atEveryOffset() {
		byte[] body = Hex.bytes("00000bb8 0003 010203");
		for (int length = 4; length < body.length; length++) {
			byte[] cut = Arrays.copyOf(body, length);
			assertThatExceptionOfType(ProtocolException.class)
				.isThrownBy(() -> AttachmentsSection.skip(cut, FrameHeader.DEADLINE_LENGTH, cut.length))
				.withMessage("truncated attachments");
		}
		assertThatExceptionOfType(ProtocolException.class)
			.isThrownBy(() -> AttachmentsSection.skip(Hex.bytes("ffff 00"), 0, 3));
	}

	@Test
	void attachmentsOverLimit_areRejected() {
		byte[] body = Hex.bytes("0003 010203 09");
		assertThat(AttachmentsSection.skip(body, 0, 6, 3)).isEqualTo(5);
		assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> AttachmentsSection.skip(body, 0, 6, 2))
			.withMessage("max-attachments-size: the attachments take 3 bytes (expected: at most 2)");
	}

	@Test
	void frameTypes_haveFixedNumbers() {
		assertThat(new int[] { FrameType.HELLO, FrameType.BIND, FrameType.BIND_REPLY, FrameType.REQUEST,
				FrameType.RESPONSE, FrameType.ONE_WAY, FrameType.CANCEL, FrameType.PING, FrameType.PONG,
				FrameType.WINDOW, FrameType.GO_AWAY, FrameType.STREAM_DATA, FrameType.STREAM_END, FrameType.CONTRACT })
			.containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
	}

	@Test
	void text_isEncodedAsUtf8() {
		assertThat(new Failure("ß", "").encode()).containsExactly(0, 2, 0xc3, 0x9f, 0, 0);
		assertThat("ß".getBytes(StandardCharsets.UTF_8)).hasSize(2);
	}

}
