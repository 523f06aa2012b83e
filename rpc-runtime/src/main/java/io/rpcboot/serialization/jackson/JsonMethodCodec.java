package io.rpcboot.serialization.jackson;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.contract.ContractMethod;
import io.rpcboot.serialization.contract.TypeRef;
import io.rpcboot.serialization.protostuff.ServiceTypes;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * One method in JSON: the arguments are an array, the result is a value, null where there
 * is none. Links the types of arguments and replies apart, because a side reads only one
 * of them and only that was found to be readable.
 */
final class JsonMethodCodec implements MethodCodec {

	private static final @Nullable Object[] NO_ARGUMENTS = {};

	private final JsonFormat format;

	private final String method;

	private final List<JsonType> parameters;

	private final @Nullable JsonType result;

	private final @Nullable JsonExceptions exceptions;

	private JsonMethodCodec(JsonFormat format, String method, List<JsonType> parameters, @Nullable JsonType result,
			@Nullable JsonExceptions exceptions) {
		this.format = format;
		this.method = method;
		this.parameters = parameters;
		this.result = result;
		this.exceptions = exceptions;
	}

	/** For arguments alone. */
	static JsonMethodCodec ofArguments(JsonFormat format, String name, ContractMethod own, ContractMethod written,
			JsonTypes linked) {
		List<JsonType> parameters = new ArrayList<>();
		for (int i = 0; i < own.parameters().size(); i++) {
			parameters.add(linked.link(own.parameters().get(i), written.parameters().get(i),
					"%s: argument %d".formatted(name, i + 1)));
		}
		return new JsonMethodCodec(format, name, parameters, null, null);
	}

	/** For results and exceptions alone. */
	static JsonMethodCodec ofReplies(JsonFormat format, String name, ServiceTypes types, ContractMethod own,
			ContractMethod written, JsonTypes linked) {
		JsonType result = own.result().equals(TypeRef.VOID) ? null
				: linked.link(own.result(), written.result(), name + ": result");
		return new JsonMethodCodec(format, name, List.of(), result,
				new JsonExceptions(types, own.exceptions(), written.exceptions(), linked, name));
	}

	/** For both. */
	JsonMethodCodec withReplies(JsonMethodCodec replies) {
		return new JsonMethodCodec(this.format, this.method, this.parameters, replies.result, replies.exceptions);
	}

	@Override
	public void serializeArguments(@Nullable Object @Nullable [] arguments, OutputBuffer buffer) {
		@Nullable Object[] values = (arguments == null) ? NO_ARGUMENTS : arguments;
		this.format.write(this.method, "arguments", buffer, (out) -> {
			if (values.length != this.parameters.size()) {
				throw new JsonFailure("%d values (expected: %d)".formatted(values.length, this.parameters.size()));
			}
			out.writeStartArray();
			for (int i = 0; i < values.length; i++) {
				this.parameters.get(i).writeNullable(out, values[i]);
			}
			out.writeEndArray();
		});
	}

	@Override
	public @Nullable Object[] deserializeArguments(byte[] source, int offset, int length) {
		return this.format.read(this.method, "arguments", source, offset, length, this::readArguments);
	}

	private @Nullable Object[] readArguments(JsonInput in) {
		JsonType.require(in, JsonToken.START_ARRAY);
		@Nullable Object[] values = new @Nullable Object[this.parameters.size()];
		for (int i = 0; i < values.length; i++) {
			in.nextToken();
			values[i] = this.parameters.get(i).readNullable(in);
		}
		JsonFormat.requireEndOfArray(in);
		return values;
	}

	@Override
	public void serializeResult(@Nullable Object value, OutputBuffer buffer) {
		this.format.write(this.method, "result", buffer, (out) -> {
			if (this.result != null) {
				this.result.writeNullable(out, value);
				return;
			}
			if (value != null) {
				throw new JsonFailure("%s (expected: no result)".formatted(value.getClass().getName()));
			}
			out.writeNull();
		});
	}

	@Override
	public @Nullable Object deserializeResult(byte[] source, int offset, int length) {
		return this.format.<@Nullable Object>read(this.method, "result", source, offset, length, (in) -> {
			if (this.result != null) {
				return this.result.readNullable(in);
			}
			JsonType.require(in, JsonToken.VALUE_NULL);
			return null;
		});
	}

	@Override
	public boolean serializeException(Throwable thrown, OutputBuffer buffer) {
		JsonExceptions declared = this.exceptions;
		int index = (declared != null) ? declared.nearest(thrown) : -1;
		if (declared == null || index < 0) {
			return false;
		}
		this.format.write(this.method, "exception", buffer, (out) -> declared.write(out, index, thrown));
		return true;
	}

	@Override
	public Throwable deserializeException(byte[] source, int offset, int length) {
		return this.format.read(this.method, "exception", source, offset, length, (in) -> {
			if (this.exceptions == null) {
				throw new JsonFailure("an exception (expected: none)");
			}
			return this.exceptions.read(in);
		});
	}

}
