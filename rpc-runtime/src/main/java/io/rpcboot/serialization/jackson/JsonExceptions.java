package io.rpcboot.serialization.jackson;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.rpcboot.serialization.UndeclaredException;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.TypeRef;
import io.rpcboot.serialization.types.MethodNode.Thrown;
import io.rpcboot.serialization.types.PathException;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonToken;

/**
 * The exceptions of one throws clause: an object whose first property says which, then
 * message and fields.
 */
final class JsonExceptions {

	private final List<String> names = new ArrayList<>();

	private final List<Thrown> exceptions;

	/** One that only the writer has is null. */
	private final List<@Nullable JsonStruct> structs;

	/**
	 * Create it.
	 * @param exceptions as the writer declares them
	 * @param structs of each
	 */
	JsonExceptions(List<Thrown> exceptions, List<@Nullable JsonStruct> structs) {
		List<TypeRef> types = exceptions.stream().map((each) -> each.written().type()).toList();
		types.forEach((each) -> this.names.add(JsonSubtypes.name(each, types)));
		this.exceptions = exceptions;
		this.structs = structs;
	}

	/** Write what was thrown. */
	void write(JsonGenerator out, int index, Throwable thrown) {
		out.writeStartObject();
		out.writeName(JsonSubtypes.TYPE);
		out.writeString(this.names.get(index));
		Objects.requireNonNull(this.structs.get(index)).writeFields(out, thrown);
		out.writeEndObject();
	}

	Throwable read(JsonInput in) {
		String name = JsonSubtypes.readTypeName(in);
		int index = this.names.indexOf(name);
		if (index < 0) {
			throw new PathException(
					"type '%s' (expected: one of the declared exceptions %s)".formatted(name, this.names));
		}
		JsonStruct struct = this.structs.get(index);
		return (struct != null) ? (Throwable) struct.readFields(in)
				: readUnknown(in, this.exceptions.get(index).written());
	}

	/** An exception that only the writer declares: its name and its message. */
	private static Throwable readUnknown(JsonInput in, ContractType written) {
		String messageName = written.members().get(0).name();
		@Nullable String message = null;
		while (in.nextToken() == JsonToken.PROPERTY_NAME) {
			boolean isMessage = in.currentName().equals(messageName);
			if (in.nextToken() == JsonToken.VALUE_STRING && isMessage) {
				message = in.text();
			}
			in.skipChildren();
		}
		return new UndeclaredException(written.type().name(), message);
	}

}
