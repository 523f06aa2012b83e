package io.rpcboot.internal.serialization.protobuf.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.serialization.MessageTooLargeException;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests what reaches the codec in protobuf, and what comes from it. */
class JsonMethodCodecTests {

	private static final byte[] ONE = { 3 << 3, 1 };

	private static final String ONE_JSON = "{\"i32\":1}";

	private final MethodCodec codec = Sinks.JSON.method("sink.Sinks", "Pour", new Bytes());

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	@Test
	void arguments_areTheRequest() {
		OutputBuffer out = new OutputBuffer(new byte[1], 100);
		this.codec.serializeArguments(new Object[] { ONE }, out);
		assertThat(out.toByteArray()).isEqualTo(utf8(ONE_JSON));
		assertThat(this.codec.deserializeArguments(utf8(ONE_JSON), 0, 9)).containsExactly(ONE);
	}

	@Test
	void element_isARequest() {
		OutputBuffer out = new OutputBuffer(new byte[1], 100);
		this.codec.serializeElement(ONE, out);
		assertThat(out.toByteArray()).isEqualTo(utf8(ONE_JSON));
		assertThat(this.codec.deserializeElement(utf8(ONE_JSON), 0, 9)).isEqualTo(ONE);
	}

	@Test
	void result_isTheResponse() {
		OutputBuffer out = new OutputBuffer(new byte[1], 100);
		this.codec.serializeResult(new byte[0], out);
		assertThat(out.toByteArray()).isEqualTo(utf8("{}"));
		assertThat(this.codec.deserializeResult(utf8("{}"), 0, 2)).isEqualTo(new byte[0]);
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> this.codec.deserializeResult(utf8(ONE_JSON), 0, 9))
			.withMessage("sink.Sinks/Pour: result i32: no field of sink.Nothing (expected: none)");
	}

	@Test
	void exception_isUnchanged() {
		OutputBuffer out = new OutputBuffer(new byte[1], 100);
		assertThat(this.codec.serializeException(new IllegalStateException(), out)).isTrue();
		assertThat(out.toByteArray()).isEqualTo(ONE);
		assertThat(this.codec.deserializeException(ONE, 0, 2)).isInstanceOf(IllegalStateException.class);
	}

	@Test
	void largeMessage_isHandedOver_inWindows() {
		byte[] text = new byte[300_000];
		Arrays.fill(text, (byte) 'a');
		byte[] message = Sinks.bytes("sink.Sink",
				"{\"textValue\":\"%s\"}".formatted(new String(text, StandardCharsets.UTF_8)));
		AtomicInteger bytes = new AtomicInteger();
		OutputBuffer out = new OutputBuffer(new byte[1], 1 << 20);
		out.overflow((source, offset, length) -> bytes.addAndGet(length));
		this.codec.serializeArguments(new Object[] { message }, out);
		assertThat(bytes.get() + out.position()).isEqualTo(text.length + 16);
		assertThat(out.overflow()).isNotNull();
		byte[] json = utf8("{\"textValue\":\"%s\"}".formatted(new String(text, StandardCharsets.UTF_8)));
		OutputBuffer buffer = new OutputBuffer(new byte[1], 1 << 20);
		buffer.overflow((source, offset, length) -> bytes.addAndGet(length));
		Sinks.JSON.message("sink.Sink").toProtobuf(json, 0, json.length, buffer);
		assertThat(buffer.overflow()).isNotNull();
		assertThat(buffer.position()).isEqualTo(message.length);
	}

	@Test
	void limitOfProtobuf_isKept() {
		MethodCodec small = ProtoJson.of(Sinks.FILES, false, 100).method("sink.Sinks", "Pour", new Bytes());
		byte[] json = utf8("{\"ds\":[" + "0,".repeat(20) + "0]}");
		assertThatExceptionOfType(MessageTooLargeException.class)
			.isThrownBy(() -> small.deserializeArguments(json, 0, json.length));
		assertThatExceptionOfType(MessageTooLargeException.class)
			.isThrownBy(() -> this.codec.serializeArguments(new Object[] { ONE }, new OutputBuffer(new byte[1], 8)));
	}

	/** Codec whose values are the bytes of messages. */
	private static final class Bytes implements MethodCodec {

		@Override
		public void serializeArguments(Object[] arguments, OutputBuffer out) {
			serializeResult(arguments[0], out);
		}

		@Override
		public Object[] deserializeArguments(byte[] source, int offset, int length) {
			return new Object[] { deserializeResult(source, offset, length) };
		}

		@Override
		public void serializeElement(Object element, OutputBuffer out) {
			serializeResult(element, out);
		}

		@Override
		public Object deserializeElement(byte[] source, int offset, int length) {
			return deserializeResult(source, offset, length);
		}

		@Override
		public void serializeResult(Object result, OutputBuffer out) {
			out.write((byte[]) result, 0, ((byte[]) result).length);
		}

		@Override
		public Object deserializeResult(byte[] source, int offset, int length) {
			return Arrays.copyOfRange(source, offset, offset + length);
		}

		@Override
		public boolean serializeException(Throwable thrown, OutputBuffer out) {
			serializeResult(ONE, out);
			return true;
		}

		@Override
		public Throwable deserializeException(byte[] source, int offset, int length) {
			return new IllegalStateException();
		}

	}

}
