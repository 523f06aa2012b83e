package io.rpcboot.serialization.jackson;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.serialization.contract.TypeRef;
import io.rpcboot.serialization.protostuff.TypeLinker;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonToken;

/**
 * A type of which the contract lists the types that may arrive. The property
 * {@value #TYPE} comes first and says which: for a class the fields follow it, for any
 * other type the property {@value #VALUE}.
 */
final class JsonSubtypes extends JsonType {

	static final String TYPE = "@type";

	static final String VALUE = "value";

	private final Map<Class<?>, Subtype> byClass = new HashMap<>();

	/** Values and containers, which carry subclasses too, the narrower kinds first. */
	private final List<Subtype> kinds = new ArrayList<>();

	/** By the writer's names; null for a type that only the writer has. */
	private final Map<String, @Nullable JsonType> byName = new HashMap<>();

	JsonSubtypes() {
		super(Object.class);
	}

	/** Add a type under the name that the writer gives it. */
	void add(String name, TypeLinker.Option<JsonType> option) {
		JsonType type = option.type();
		this.byName.put(name, type);
		if (type == null) {
			return;
		}
		Subtype subtype = new Subtype(name, option.javaType(), type);
		this.byClass.put(option.javaType(), subtype);
		if (!(type instanceof JsonStruct)) {
			int at = 0;
			while (at < this.kinds.size() && !this.kinds.get(at).javaType.isAssignableFrom(option.javaType())) {
				at++;
			}
			this.kinds.add(at, subtype);
		}
	}

	@Override
	void write(JsonGenerator out, Object value) {
		Subtype found = find(value);
		out.writeStartObject();
		out.writeName(TYPE);
		out.writeString(found.name);
		if (found.type instanceof JsonStruct struct) {
			struct.writeFields(out, value);
		}
		else {
			out.writeName(VALUE);
			found.type.write(out, value);
		}
		out.writeEndObject();
	}

	private Subtype find(Object value) {
		Subtype exact = this.byClass
			.get((value instanceof Enum<?> constant) ? constant.getDeclaringClass() : value.getClass());
		if (exact != null) {
			return exact;
		}
		for (Subtype each : this.kinds) {
			if (each.javaType.isInstance(value)) {
				return each;
			}
		}
		throw new JsonFailure("%s (expected: one of the declared types %s)".formatted(value.getClass().getName(),
				this.byName.keySet()));
	}

	@Override
	@Nullable Object read(JsonInput in) {
		JsonType type = readType(in);
		if (type instanceof JsonStruct struct) {
			return struct.readFields(in);
		}
		requireName(in, VALUE);
		Object value = type.read(in);
		in.nextToken();
		require(in, JsonToken.END_OBJECT);
		return value;
	}

	private JsonType readType(JsonInput in) {
		String name = readTypeName(in);
		JsonType type = this.byName.get(name);
		if (type == null) {
			throw new JsonFailure(
					"type '%s' (expected: one of the declared types %s)".formatted(name, this.byName.keySet()));
		}
		return type;
	}

	/** Read the property that says which type follows. */
	static String readTypeName(JsonInput in) {
		require(in, JsonToken.START_OBJECT);
		requireName(in, TYPE);
		return JsonValue.string(in);
	}

	private static void requireName(JsonInput in, String name) {
		in.nextToken();
		require(in, JsonToken.PROPERTY_NAME);
		if (!in.currentName().equals(name)) {
			throw new JsonFailure("a property '%s' (expected: '%s')".formatted(in.currentName(), name));
		}
		in.nextToken();
	}

	/** The name of a type among others: short unless two would have the same. */
	static String name(TypeRef type, List<TypeRef> all) {
		String simple = simple(type);
		return (all.stream().filter((each) -> simple(each).equals(simple)).count() == 1) ? simple : type.toString();
	}

	private static String simple(TypeRef type) {
		String name = type.name();
		return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
	}

	private record Subtype(String name, Class<?> javaType, JsonType type) {
	}

}
