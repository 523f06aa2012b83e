package io.rpcboot.serialization.jackson;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import io.rpcboot.serialization.contract.TypeRef;
import io.rpcboot.serialization.types.Node;
import io.rpcboot.serialization.types.Node.ChoiceNode;
import io.rpcboot.serialization.types.Node.Option;
import io.rpcboot.serialization.types.PathException;

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

	private final ChoiceNode node;

	private final Map<Option, JsonType> types = new IdentityHashMap<>();

	/** By the writer's names. */
	private final Map<String, Option> byName = new HashMap<>();

	/** What the writer calls them. */
	private final Map<Option, String> names = new IdentityHashMap<>();

	JsonSubtypes(ChoiceNode node) {
		super(node.javaType());
		this.node = node;
	}

	void link(Function<Node, JsonType> types) {
		List<TypeRef> all = this.node.options().stream().map((each) -> each.written().type()).toList();
		for (Option each : this.node.options()) {
			String name = name(each.written().type(), all);
			this.byName.put(name, each);
			this.names.put(each, name);
			if (each.type() != null) {
				this.types.put(each, types.apply(each.type()));
			}
		}
	}

	@Override
	void write(JsonGenerator out, Object value) {
		Option option = this.node.choose(value);
		out.writeStartObject();
		out.writeName(TYPE);
		out.writeString(this.names.get(option));
		JsonType type = Objects.requireNonNull(this.types.get(option));
		if (type instanceof JsonStruct struct) {
			struct.writeFields(out, value);
		}
		else {
			out.writeName(VALUE);
			type.write(out, value);
		}
		out.writeEndObject();
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
		Option option = this.byName.get(name);
		JsonType type = (option != null) ? this.types.get(option) : null;
		if (type == null) {
			throw new PathException(
					"type '%s' (expected: one of the declared types %s)".formatted(name, this.byName.keySet()));
		}
		return type;
	}

	/** Read the property that says which type follows. */
	static String readTypeName(JsonInput in) {
		require(in, JsonToken.START_OBJECT);
		requireName(in, TYPE);
		return in.string();
	}

	private static void requireName(JsonInput in, String name) {
		in.nextToken();
		require(in, JsonToken.PROPERTY_NAME);
		if (!in.currentName().equals(name)) {
			throw new PathException("a property '%s' (expected: '%s')".formatted(in.currentName(), name));
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

}
