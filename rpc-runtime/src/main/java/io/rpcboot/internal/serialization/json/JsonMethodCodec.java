package io.rpcboot.internal.serialization.json;

import java.util.List;
import java.util.Objects;

import io.rpcboot.internal.serialization.types.graph.MethodNode;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * Codec of one method in JSON: the arguments are an array, the result is a value, null
 * for void. Thread-safe.
 */
record JsonMethodCodec(JsonStreams streams, MethodNode node, List<JsonType> parameters, @Nullable JsonType result,
		JsonChoice exceptions) implements MethodCodec {

	private static final @Nullable Object[] NO_ARGUMENTS = {};

	@Override
	public void serializeArguments(@Nullable Object @Nullable [] arguments, OutputBuffer buffer) {
		@Nullable Object[] values = (arguments == null) ? NO_ARGUMENTS : arguments;
		this.streams.write(this.node.name(), "arguments", buffer, (out) -> {
			if (values.length != this.parameters.size()) {
				throw new PathException("%d values (expected: %d)".formatted(values.length, this.parameters.size()));
			}
			out.writeStartArray();
			int index = 0;
			try {
				for (; index < values.length; index++) {
					this.parameters.get(index).writeNullable(out, values[index]);
				}
			}
			catch (RuntimeException ex) {
				throw JsonStreams.at(this.node.parameters().get(index).name(), ex);
			}
			out.writeEndArray();
		});
	}

	@Override
	public @Nullable Object[] deserializeArguments(byte[] source, int offset, int length) {
		return this.streams.read(this.node.name(), "arguments", source, offset, length, this::readArguments);
	}

	private @Nullable Object[] readArguments(JsonInput in) {
		in.require(JsonToken.START_ARRAY);
		@Nullable Object[] values = new @Nullable Object[this.parameters.size()];
		int index = 0;
		try {
			for (; index < values.length; index++) {
				in.nextToken();
				values[index] = this.parameters.get(index).readNullable(in);
			}
		}
		catch (RuntimeException ex) {
			throw JsonStreams.at(this.node.parameters().get(index).name(), ex);
		}
		in.next(JsonToken.END_ARRAY);
		return values;
	}

	@Override
	public void serializeResult(@Nullable Object value, OutputBuffer buffer) {
		this.streams.write(this.node.name(), "result", buffer, (out) -> {
			if (this.result != null) {
				this.result.writeNullable(out, value);
				return;
			}
			if (value != null) {
				throw new PathException("%s (expected: no result)".formatted(value.getClass().getTypeName()));
			}
			out.writeNull();
		});
	}

	@Override
	public @Nullable Object deserializeResult(byte[] source, int offset, int length) {
		return this.streams.<@Nullable Object>read(this.node.name(), "result", source, offset, length, (in) -> {
			if (this.result != null) {
				return this.result.readNullable(in);
			}
			in.require(JsonToken.VALUE_NULL);
			return null;
		});
	}

	@Override
	public boolean serializeException(Throwable thrown, OutputBuffer buffer) {
		if (this.node.nearest(thrown) < 0) {
			return false;
		}
		this.streams.write(this.node.name(), "exception", buffer, (out) -> this.exceptions.write(out, thrown));
		return true;
	}

	@Override
	public Throwable deserializeException(byte[] source, int offset, int length) {
		return this.streams.read(this.node.name(), "exception", source, offset, length,
				(in) -> (Throwable) Objects.requireNonNull(this.exceptions.read(in)));
	}

}
