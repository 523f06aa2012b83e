package io.rpcboot.serialization.protostuff;

import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.protostuff.Input;
import io.protostuff.Output;
import io.protostuff.Pipe;
import io.protostuff.Schema;
import io.protostuff.WireFormat;
import io.protostuff.runtime.Delegate;
import io.protostuff.runtime.RuntimeSchema;
import org.junit.jupiter.api.Test;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.UnsupportedTypeException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Delegates of the application make further types carried.
 */
public class DelegateTests {

	private final MethodCodec uris = Codecs.method(Service.class, "uris", new UriDelegate(), new PlainDelegate());

	@Test
	void valuesAreWrittenAndReadByTheDelegate() {
		Map<URI, List<URI>> value = Map.of(URI.create("a:b"), Arrays.asList(URI.create("c:d"), null));
		assertThat(Codecs.echo(this.uris, value)).isEqualTo(value);
	}

	@Test
	void delegateMayUseASchema() {
		MethodCodec codec = Codecs.method(Service.class, "plain", new UriDelegate(), new PlainDelegate());
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
	void failureOfADelegateIsWrapped() {
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> this.uris.deserializeResult(new byte[] { 0x0b, 0x0b, 0x0a, 1, ' ', 0x0c, 0x0c }, 0, 7))
			.withCauseInstanceOf(IllegalArgumentException.class);
	}

	@Test
	void typeIsRefusedWithoutIt() {
		assertThatExceptionOfType(UnsupportedTypeException.class).isThrownBy(() -> Codecs.of(Service.class))
			.withMessageContaining("java.net.URI cannot be carried");
	}

	@Test
	void delegateIsPartOfTheContract() {
		assertThat(Codecs.of(Service.class, new UriDelegate(), new PlainDelegate()).contract().text())
			.contains("delegate<java.net.URI,STRING>");
	}

	@Test
	void twoForOneTypeAreRefused() {
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> ProtostuffSerializer.builder().delegate(new UriDelegate()).delegate(new UriDelegate()))
			.withMessage("delegates: two for java.net.URI (expected: one for each type)");
	}

	public interface Service {

		Map<URI, List<URI>> uris();

		List<Plain> plain();

	}

	public static class Plain {

		int number;

		String text;

	}

	private static final class UriDelegate implements Delegate<URI> {

		@Override
		public WireFormat.FieldType getFieldType() {
			return WireFormat.FieldType.STRING;
		}

		@Override
		public URI readFrom(Input input) throws IOException {
			return URI.create(input.readString());
		}

		@Override
		public void writeTo(Output output, int number, URI value, boolean repeated) throws IOException {
			output.writeString(number, value.toString(), repeated);
		}

		@Override
		public void transfer(Pipe pipe, Input input, Output output, int number, boolean repeated) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Class<?> typeClass() {
			return URI.class;
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
