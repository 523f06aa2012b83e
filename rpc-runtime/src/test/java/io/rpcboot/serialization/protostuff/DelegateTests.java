package io.rpcboot.serialization.protostuff;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.protostuff.ByteString;
import io.protostuff.Input;
import io.protostuff.Output;
import io.protostuff.Pipe;
import io.protostuff.Schema;
import io.protostuff.WireFormat;
import io.protostuff.runtime.Delegate;
import io.protostuff.runtime.RuntimeSchema;
import org.junit.jupiter.api.Test;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.serialization.FullWindows;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.UnsupportedTypeException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Delegates of the application make further types carried.
 */
public class DelegateTests {

	private final MethodCodec paths = Codecs.method(Service.class, "paths", new PathDelegate(), new PlainDelegate());

	@Test
	void valuesAreWrittenAndReadByTheDelegate() {
		Map<Path, List<Path>> value = Map.of(Path.of("a:b"), Arrays.asList(Path.of("c:d"), null));
		assertThat(Codecs.echo(this.paths, value)).isEqualTo(value);
	}

	@Test
	void delegateMayUseASchema() {
		MethodCodec codec = Codecs.method(Service.class, "plain", new PathDelegate(), new PlainDelegate());
		Plain value = new Plain();
		value.number = 5;
		value.text = "text";
		assertThat(Codecs.echo(codec, List.of(value))).singleElement().usingRecursiveComparison().isEqualTo(value);
		byte[] bytes = Codecs.result(codec, List.of(value, value));
		for (int length = 1; length < bytes.length / 2; length++) {
			int end = length;
			assertThatExceptionOfType(SerializationException.class)
				.isThrownBy(() -> codec.deserializeResult(bytes, 0, end));
		}
	}

	@Test
	void bytesInEveryFormAndSize() {
		MethodCodec codec = Codecs.method(Service.class, "paths", new BytesDelegate(), new PlainDelegate());
		for (int length : new int[] { 1, 100, 16_384, 100_000 }) {
			for (String start : List.of("string", "heap", "direct")) {
				Path path = Path.of(start + "x".repeat(length));
				Map<Path, List<Path>> value = Map.of(path, List.of(path, Path.of("end")));
				byte[] bytes = FullWindows.check((buffer) -> codec.serializeResult(value, buffer));
				assertThat(codec.deserializeResult(bytes, 0, bytes.length)).isEqualTo(value);
			}
		}
	}

	@Test
	void failureOfADelegateIsWrapped() {
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> this.paths.deserializeResult(new byte[] { 0x0b, 0x0b, 0x0a, 1, 0, 0x0c, 0x0c }, 0, 7))
			.withCauseInstanceOf(IllegalArgumentException.class);
	}

	@Test
	void typeIsRefusedWithoutIt() {
		assertThatExceptionOfType(UnsupportedTypeException.class).isThrownBy(() -> Codecs.of(Service.class))
			.withMessageContaining("java.nio.file.Path cannot be carried");
	}

	@Test
	void delegateIsPartOfTheContract() {
		assertThat(Codecs.of(Service.class, new PathDelegate(), new PlainDelegate()).contract().text())
			.contains("delegate<java.nio.file.Path,STRING>");
	}

	@Test
	void twoForOneTypeAreRefused() {
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> ProtostuffSerializer.builder().delegate(new PathDelegate()).delegate(new PathDelegate()))
			.withMessage("delegates: two for java.nio.file.Path (expected: one for each type)");
	}

	public interface Service {

		Map<Path, List<Path>> paths();

		List<Plain> plain();

	}

	public static class Plain {

		int number;

		String text;

	}

	private static final class PathDelegate implements Delegate<Path> {

		@Override
		public WireFormat.FieldType getFieldType() {
			return WireFormat.FieldType.STRING;
		}

		@Override
		public Path readFrom(Input input) throws IOException {
			return Path.of(input.readString());
		}

		@Override
		public void writeTo(Output output, int number, Path value, boolean repeated) throws IOException {
			output.writeString(number, value.toString(), repeated);
		}

		@Override
		public void transfer(Pipe pipe, Input input, Output output, int number, boolean repeated) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Class<?> typeClass() {
			return Path.class;
		}

	}

	/** A path in UTF-8, handed over in the form that its first character names. */
	private static final class BytesDelegate implements Delegate<Path> {

		@Override
		public WireFormat.FieldType getFieldType() {
			return WireFormat.FieldType.BYTES;
		}

		@Override
		public Path readFrom(Input input) throws IOException {
			return Path.of(input.readBytes().toStringUtf8());
		}

		@Override
		public void writeTo(Output output, int number, Path value, boolean repeated) throws IOException {
			byte[] bytes = value.toString().getBytes(StandardCharsets.UTF_8);
			switch (bytes[0]) {
				case 'h' -> output.writeBytes(number, ByteBuffer.wrap(bytes), repeated);
				case 'd' ->
					output.writeBytes(number, ByteBuffer.allocateDirect(bytes.length).put(bytes).flip(), repeated);
				default -> output.writeBytes(number, ByteString.copyFrom(bytes), repeated);
			}
		}

		@Override
		public void transfer(Pipe pipe, Input input, Output output, int number, boolean repeated) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Class<?> typeClass() {
			return Path.class;
		}

	}

	private static final class PlainDelegate implements Delegate<Plain> {

		private final Schema<Plain> schema = RuntimeSchema.getSchema(Plain.class);

		@Override
		public WireFormat.FieldType getFieldType() {
			return WireFormat.FieldType.MESSAGE;
		}

		@Override
		public Plain readFrom(Input input) throws IOException {
			return input.mergeObject(this.schema.newMessage(), this.schema);
		}

		@Override
		public void writeTo(Output output, int number, Plain value, boolean repeated) throws IOException {
			output.writeObject(number, value, this.schema, repeated);
		}

		@Override
		public void transfer(Pipe pipe, Input input, Output output, int number, boolean repeated) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Class<?> typeClass() {
			return Plain.class;
		}

	}

}
