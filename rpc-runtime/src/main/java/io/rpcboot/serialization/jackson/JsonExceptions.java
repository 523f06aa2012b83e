package io.rpcboot.serialization.jackson;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.serialization.UndeclaredException;
import io.rpcboot.serialization.contract.TypeRef;
import io.rpcboot.serialization.protostuff.ServiceTypes;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonToken;

/**
 * The exceptions of one throws clause: an object whose first property says which, then
 * message and fields.
 */
final class JsonExceptions {

	private final ServiceTypes types;

	private final List<TypeRef> own;

	private final List<JsonStruct> writers = new ArrayList<>();

	/** By the writer's names. */
	private final Map<String, TypeRef> names = new HashMap<>();

	/** By the writer's names; one that only the writer has is not here. */
	private final Map<String, JsonStruct> readers = new HashMap<>();

	private final JsonTypes linked;

	/**
	 * Create it.
	 * @param types the own types
	 * @param own the exceptions of the own method
	 * @param written the exceptions of the writer's method
	 * @param linked the links to what is read
	 * @param path for a refusal
	 */
	JsonExceptions(ServiceTypes types, List<TypeRef> own, List<TypeRef> written, JsonTypes linked, String path) {
		this.types = types;
		this.own = own;
		this.linked = linked;
		for (TypeRef each : written) {
			String name = JsonSubtypes.name(each, written);
			this.names.put(name, each);
			TypeRef type = linked.sameException(own, each);
			if (type != null) {
				JsonStruct struct = (JsonStruct) linked.link(type, each, path + ": exception " + name);
				this.readers.put(name, struct);
				this.writers.add(struct);
			}
		}
	}

	/** The index of the exception that carries what was thrown, or -1. */
	int nearest(Throwable thrown) {
		return this.types.nearestException(this.own, thrown);
	}

	/** Write what was thrown. */
	void write(JsonGenerator out, int index, Throwable thrown) {
		out.writeStartObject();
		out.writeName(JsonSubtypes.TYPE);
		out.writeString(JsonSubtypes.name(this.own.get(index), this.own));
		this.writers.get(index).writeFields(out, thrown);
		out.writeEndObject();
	}

	Throwable read(JsonInput in) {
		String name = JsonSubtypes.readTypeName(in);
		TypeRef written = this.names.get(name);
		if (written == null) {
			throw new JsonFailure(
					"type '%s' (expected: one of the declared exceptions %s)".formatted(name, this.names.keySet()));
		}
		JsonStruct struct = this.readers.get(name);
		return (struct != null) ? (Throwable) struct.readFields(in) : readUnknown(in, written);
	}

	/** An exception that only the writer declares: its name and its message. */
	private Throwable readUnknown(JsonInput in, TypeRef written) {
		String messageName = this.linked.nameOfMessage(written);
		@Nullable String message = null;
		while (in.nextToken() == JsonToken.PROPERTY_NAME) {
			boolean isMessage = in.currentName().equals(messageName);
			if (in.nextToken() == JsonToken.VALUE_STRING && isMessage) {
				message = in.text();
			}
			in.skipChildren();
		}
		return new UndeclaredException(written.name(), message);
	}

}
