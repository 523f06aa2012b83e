package io.rpcboot.spring.lines;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.UndeclaredException;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractMethod;
import io.rpcboot.serialization.contract.TypeRef;
import org.jspecify.annotations.Nullable;

/** The lines of one method: writes the own layout, reads that of the writer. */
final class LinesMethodCodec implements MethodCodec {

	private final MethodDescriptor method;

	private final Contract own;

	private final Contract writer;

	private final ContractMethod written;

	LinesMethodCodec(MethodDescriptor method, Contract own, Contract writer, int number) {
		this.method = method;
		this.own = own;
		this.writer = writer;
		this.written = writer.methods().get(number);
	}

	@Override
	public void serializeArguments(@Nullable Object @Nullable [] arguments, OutputBuffer out) {
		LineWriter lines = new LineWriter();
		for (Object each : (arguments != null) ? arguments : new Object[0]) {
			lines.write(each);
		}
		write(lines, out);
	}

	@Override
	public @Nullable Object[] deserializeArguments(byte[] source, int offset, int length) {
		return read(source, offset, length, (lines) -> {
			List<@Nullable Object> arguments = new ArrayList<>();
			for (Class<?> each : this.method.method().getParameterTypes()) {
				arguments.add(lines.read(each, this.written.parameters().get(arguments.size())));
			}
			return arguments.toArray();
		});
	}

	@Override
	public void serializeResult(@Nullable Object result, OutputBuffer out) {
		LineWriter lines = new LineWriter();
		if (LinesContract.resultOf(this.method) != void.class) {
			lines.write(result);
		}
		write(lines, out);
	}

	@Override
	public @Nullable Object deserializeResult(byte[] source, int offset, int length) {
		Class<?> type = LinesContract.resultOf(this.method);
		return read(source, offset, length,
				(lines) -> (type == void.class) ? null : lines.read(type, this.written.result()));
	}

	@Override
	public boolean serializeException(Throwable thrown, OutputBuffer out) {
		for (Class<?> type = thrown.getClass(); type != null; type = type.getSuperclass()) {
			if (this.method.declaredExceptions().contains(type)) {
				LineWriter lines = new LineWriter();
				lines.write(type.getName());
				lines.write(thrown.getMessage());
				write(lines, out);
				return true;
			}
		}
		return false;
	}

	@Override
	public Throwable deserializeException(byte[] source, int offset, int length) {
		return read(source, offset, length, (lines) -> {
			TypeRef text = TypeRef.of(String.class.getName());
			String name = String.valueOf(lines.read(String.class, text));
			String message = (String) lines.read(String.class, text);
			if (!this.written.exceptions().contains(TypeRef.of(name))) {
				throw new SerializationException(
						"exception '%s' (expected: one of %s)".formatted(name, this.written.exceptions()));
			}
			for (Class<?> each : this.method.declaredExceptions()) {
				if (each.getName().equals(name)) {
					return (Throwable) LineReader.create(each, new Class<?>[] { String.class }, message);
				}
			}
			return new UndeclaredException(name, message);
		});
	}

	private void write(LineWriter lines, OutputBuffer out) {
		try {
			ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(lines.toString()));
			out.write(bytes.array(), 0, bytes.limit());
		}
		catch (CharacterCodingException ex) {
			throw new SerializationException(this.method + ": half of a surrogate pair (expected: both)", ex);
		}
	}

	/** Whatever the bytes are, nothing but a {@code SerializationException} is thrown. */
	private <T> T read(byte[] source, int offset, int length, Function<LineReader, T> reader) {
		try {
			String text = StandardCharsets.UTF_8.newDecoder()
				.decode(ByteBuffer.wrap(source, offset, length))
				.toString();
			LineReader lines = new LineReader(text, this.own, this.writer);
			T result = reader.apply(lines);
			lines.requireEnd();
			return result;
		}
		catch (CharacterCodingException | IllegalArgumentException | SerializationException ex) {
			throw new SerializationException(this.method + ": " + ex.getMessage(), ex);
		}
	}

}
