package io.rpcboot.internal.serialization.protostuff.wire;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import io.rpcboot.RpcAlias;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.DetachedBytes;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.jackson.JacksonSerializer;
import io.rpcboot.serialization.protostuff.Codecs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Messages of which one byte array is read from an array of its own. */
public class DetachedBytesTests {

	private static final int LIMIT = 1 << 20;

	private static final byte[] LONG = bytes(20_000);

	private static byte[] bytes(int size) {
		byte[] bytes = new byte[size];
		new Random(size).nextBytes(bytes);
		return bytes;
	}

	/** A message as a large body gets it: all bytes, and where its longest value is. */
	private static final class Message implements OutputBuffer.Overflow {

		private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

		private int start;

		private int length;

		@Override
		public void expect(int gathered, int range, boolean isValue) {
			if (isValue && range > this.length) {
				this.start = this.bytes.size() + gathered;
				this.length = range;
			}
		}

		@Override
		public void write(byte[] source, int offset, int count) {
			this.bytes.write(source, offset, count);
		}

		private Message finish(OutputBuffer out) {
			write(out.array(), 0, out.position());
			return this;
		}

		int size() {
			return this.bytes.size();
		}

		DetachedBytes value(int offset) {
			byte[] all = this.bytes.toByteArray();
			return new DetachedBytes(Arrays.copyOfRange(all, this.start, this.start + this.length),
					offset + this.start);
		}

		/** What is not the value, in the middle of a larger array. */
		byte[] rest(int offset) {
			byte[] all = this.bytes.toByteArray();
			byte[] rest = new byte[offset + all.length - this.length + 30];
			Arrays.fill(rest, (byte) 0x7F);
			System.arraycopy(all, 0, rest, offset, this.start);
			int end = this.start + this.length;
			System.arraycopy(all, end, rest, offset + this.start, all.length - end);
			return rest;
		}

	}

	private static Message arguments(MethodCodec codec, Object... values) {
		Message message = new Message();
		OutputBuffer out = new OutputBuffer(new byte[64], LIMIT);
		out.overflow(message);
		codec.serializeArguments(values, out);
		return message.finish(out);
	}

	private static Message result(MethodCodec codec, Object value) {
		Message message = new Message();
		OutputBuffer out = new OutputBuffer(new byte[64], LIMIT);
		out.overflow(message);
		codec.serializeResult(value, out);
		return message.finish(out);
	}

	private static Object read(MethodCodec codec, Message message, DetachedBytes value) {
		return codec.deserializeResult(message.rest(10), 10, message.size(), value);
	}

	@ParameterizedTest
	@ValueSource(ints = { OutputBuffer.LONG_VALUE, 20_000, 500_000 })
	void detachedValue_isReturned_withoutCopy(int size) {
		MethodCodec codec = Codecs.method(Files.class, "content");
		Message message = result(codec, bytes(size));
		DetachedBytes value = message.value(10);
		assertThat(value.bytes()).isEqualTo(bytes(size));
		assertThat(read(codec, message, value)).isSameAs(value.bytes());
	}

	@Test
	void shortValue_isNotDetached() {
		Message message = result(Codecs.method(Files.class, "content"), bytes(OutputBuffer.LONG_VALUE - 1));
		assertThat(message.length).isZero();
	}

	@Test
	void otherArguments_areRead_withDetachedValue() {
		MethodCodec codec = Codecs.method(Files.class, "save");
		Message message = arguments(codec, "a name", LONG, 17L);
		DetachedBytes value = message.value(3);
		Object[] read = codec.deserializeArguments(message.rest(3), 3, message.size(), value);
		assertThat(read).containsExactly("a name", LONG, 17L);
		assertThat(read[1]).isSameAs(value.bytes());
	}

	@Test
	void detachedValue_isReadInNestedObjects() {
		MethodCodec codec = Codecs.method(Files.class, "list");
		List<File> files = List.of(new File("a", bytes(100), 1), new File("b", bytes(9000), 2), new File("c", LONG, 3),
				new File("d", bytes(12_000), 4));
		Message message = result(codec, files);
		DetachedBytes value = message.value(10);
		@SuppressWarnings("unchecked")
		List<File> read = (List<File>) read(codec, message, value);
		assertThat(read).usingRecursiveComparison().isEqualTo(files);
		assertThat(read.get(2).content()).isSameAs(value.bytes());
	}

	@Test
	void byteBuffer_isReadFromDetachedValue() {
		MethodCodec codec = Codecs.method(Files.class, "buffer");
		Message message = result(codec, ByteBuffer.wrap(LONG, 1000, 15_000));
		assertThat(read(codec, message, message.value(10))).isEqualTo(ByteBuffer.wrap(LONG, 1000, 15_000));
	}

	/** Only the writer has the field. */
	@Test
	void detachedValue_isSkipped_whenReaderLacksField() {
		MethodCodec writer = Codecs.method(Files.class, "file");
		MethodCodec reader = Codecs.of(OlderFiles.class)
			.translate(Codecs.of(Files.class).contract())
			.method(number(OlderFiles.class, "file"), number(Files.class, "file"));
		Message message = result(writer, new File("name", LONG, 5));
		assertThat(read(reader, message, message.value(10))).isEqualTo(new OlderFile("name", 5));
	}

	private static int number(Class<?> service, String name) {
		return ServiceDescriptor.of(service)
			.methods()
			.stream()
			.filter((each) -> each.name().equals(name))
			.findFirst()
			.orElseThrow()
			.number();
	}

	@Test
	void misplacedDetachedValue_isRejected() {
		MethodCodec codec = Codecs.method(Files.class, "save");
		Message message = arguments(codec, "a name", LONG, 17L);
		DetachedBytes right = message.value(3);
		for (int at = 3; at < 3 + message.size() - LONG.length + 1; at++) {
			DetachedBytes wrong = new DetachedBytes(right.bytes(), at);
			if (at != right.at()) {
				assertThatExceptionOfType(SerializationException.class).as("at %d", at)
					.isThrownBy(() -> codec.deserializeArguments(message.rest(3), 3, message.size(), wrong));
			}
		}
		DetachedBytes shorter = new DetachedBytes(bytes(19_999), right.at());
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> codec.deserializeArguments(message.rest(3), 3, message.size() - 1, shorter));
		MethodCodec texts = Codecs.method(Files.class, "name");
		Message text = result(texts, "x".repeat(9000));
		DetachedBytes asValue = new DetachedBytes(new byte[9000], 10 + 3);
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> texts.deserializeResult(text.rest(10), 10, text.size(), asValue))
			.withMessageContaining("length 9000");
	}

	@Test
	void codec_readsWholeMessages_afterFailedDetachedRead() {
		MethodCodec codec = Codecs.method(Files.class, "content");
		Message message = result(codec, LONG);
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> read(codec, message, new DetachedBytes(LONG, 11)));
		assertThat(Codecs.echo(codec, LONG)).isEqualTo(LONG).isNotSameAs(LONG);
	}

	/** Others get the message in one piece. */
	@Test
	void otherSerializer_readsMessage_withDetachedBytes() {
		MethodCodec codec = new JacksonSerializer().codec(ServiceDescriptor.of(Files.class))
			.method(number(Files.class, "content"));
		OutputBuffer out = new OutputBuffer(new byte[64], LIMIT);
		codec.serializeResult(LONG, out);
		byte[] all = out.toByteArray();
		byte[] source = new byte[all.length - 10_000];
		System.arraycopy(all, 0, source, 0, 500);
		System.arraycopy(all, 10_500, source, 500, all.length - 10_500);
		DetachedBytes apart = new DetachedBytes(Arrays.copyOfRange(all, 500, 10_500), 500);
		assertThat(codec.deserializeResult(source, 0, all.length, apart)).isEqualTo(LONG);
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> codec.deserializeResult(source, 0, 9_999, apart))
			.withMessageContaining("within the message of 9999 bytes");
	}

	public interface Files {

		byte[] content();

		void save(String name, byte[] content, long time);

		List<File> list();

		File file();

		ByteBuffer buffer();

		String name();

	}

	public record File(String name, byte[] content, long time) {
	}

	public interface OlderFiles {

		@RpcAlias("io.rpcboot.internal.serialization.protostuff.wire.DetachedBytesTests$File")
		OlderFile file();

	}

	public record OlderFile(String name, long time) {
	}

}
