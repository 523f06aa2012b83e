package io.rpcboot.internal.server.openapi;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import io.rpcboot.internal.serialization.protobuf.json.EnumNames;
import io.rpcboot.internal.serialization.protobuf.json.FieldKind;
import io.rpcboot.internal.serialization.protobuf.json.MessageField;
import io.rpcboot.internal.serialization.protobuf.json.MessageType;
import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration;
import io.rpcboot.internal.serialization.protobuf.schema.MessageDeclaration;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoFile;
import org.jspecify.annotations.Nullable;

/**
 * Schemas of the messages that are referred to, and of all that these hold, in the form
 * that the server writes: integers of 64 bits are texts. It also reads other forms, such
 * as numbers for them. NaN and the infinities, which are texts, are left out of the
 * schema of a number. For one thread.
 */
final class MessageSchemas {

	private static final String REFERENCE = "#/components/schemas/";

	private static final long MAX_UINT32 = 0xFFFFFFFFL;

	/** Formats of texts by the class whose form they have. */
	private static final Map<String, String> FORMATS = Map.of("UUID", "uuid", "LocalDate", "date", "Date", "date-time");

	private final Map<String, MessageType> types;

	/** Messages that are made of Java types, by full name. */
	private final Map<String, MessageDeclaration> declared = new HashMap<>();

	private final SortedMap<String, JsonObject> schemas = new TreeMap<>();

	private final Set<String> known = new HashSet<>();

	/** Messages that are referred to and have no schema yet. */
	private final Queue<MessageType> pending = new ArrayDeque<>();

	MessageSchemas(Map<String, MessageType> types, List<ProtoFile> files) {
		this.types = types;
		files.forEach((file) -> file.messages().forEach((each) -> this.declared.put(file.full(each.name()), each)));
	}

	/**
	 * Returns a reference to a message.
	 * @throws IllegalArgumentException if no file has the message
	 */
	JsonObject reference(String message) {
		MessageType type = this.types.get(message);
		if (type == null) {
			throw new IllegalArgumentException(
					"%s is in none of the files (expected: in one, or in their imports)".formatted(message));
		}
		return reference(type);
	}

	private JsonObject reference(MessageType type) {
		if (this.known.add(type.name())) {
			this.pending.add(type);
		}
		return component(type.name());
	}

	private static JsonObject component(String name) {
		return JsonObject.of("$ref", REFERENCE + key(name));
	}

	/** Returns the name of a component, of the characters that one may have. */
	private static String key(String name) {
		return name.replaceAll("[^A-Za-z0-9._-]", "_");
	}

	/** Returns the schemas by name. */
	SortedMap<String, JsonObject> all() {
		for (MessageType next = this.pending.poll(); next != null; next = this.pending.poll()) {
			this.schemas.put(key(next.name()), schema(next));
		}
		return this.schemas;
	}

	private JsonObject schema(MessageType type) {
		return switch (type.form()) {
			case OBJECT -> object(type);
			case ANY -> typed("object").with("properties", JsonObject.of("@type", typed("string")))
				.with("additionalProperties", true);
			case STRUCT -> typed("object").with("additionalProperties", true);
			case LIST -> typed("array").with("items", JsonObject.of());
			case VALUE -> JsonObject.of("description", "Any value of JSON");
			case TIMESTAMP -> typed("string").with("format", "date-time");
			case DURATION -> typed("string").with("pattern", "^-?[0-9]{1,12}(\\.[0-9]{1,9})?s$")
				.with("description", "Seconds, such as 1.5s");
			case FIELD_MASK -> typed("string").with("description", "Paths with commas between them");
			case WRAPPER -> nullable(value(type.require(1)));
			case ENTRY -> throw new IllegalStateException(type.name() + " (expected: no entry of a map)");
		};
	}

	private static JsonObject typed(String type) {
		return JsonObject.of("type", type);
	}

	private static JsonObject nullable(JsonObject schema) {
		return schema.with("type", List.of(String.valueOf(schema.get("type")), "null"));
	}

	private JsonObject object(MessageType type) {
		MessageDeclaration declaration = this.declared.get(type.name());
		JsonObject properties = JsonObject.of();
		List<String> required = new ArrayList<>();
		Map<Integer, List<String>> choices = new TreeMap<>();
		for (int i = 0; i < type.size(); i++) {
			MessageField field = type.at(i);
			String name = field.jsonName().getValue();
			JsonObject property = property(field);
			FieldDeclaration declared = (declaration != null) ? declaration.field(field.number()) : null;
			if (declared != null && describe(declared, field, property)) {
				required.add(name);
			}
			if (field.choice() >= 0) {
				choices.computeIfAbsent(field.choice(), (first) -> new ArrayList<>()).add(name);
			}
			properties.with(name, property);
		}
		if (declaration != null && declaration.isChoice()) {
			return typed("object").with("oneOf", type.names().stream().map((each) -> only(each, properties)).toList());
		}
		choices.values().removeIf((each) -> each.size() == 1);
		JsonObject schema = typed("object");
		if (type.size() > 0) {
			schema.with("properties", properties);
		}
		return schema.with("required", required)
			.with("allOf", choices.values().stream().map(MessageSchemas::atMostOne).toList());
	}

	/** Returns a value of one of several types: an object with one property. */
	private static JsonObject only(String name, JsonObject properties) {
		return typed("object").with("title", name)
			.with("properties", JsonObject.of(name, properties.require(name)))
			.with("required", List.of(name));
	}

	private static JsonObject atMostOne(List<String> names) {
		List<JsonObject> each = names.stream().map((name) -> JsonObject.of("required", List.of(name))).toList();
		List<JsonObject> choices = new ArrayList<>(each);
		choices.add(JsonObject.of("not", JsonObject.of("anyOf", each)));
		return JsonObject.of("oneOf", choices);
	}

	private JsonObject property(MessageField field) {
		if (!field.isMap()) {
			return field.isRepeated() ? typed("array").with("items", value(field)) : value(field);
		}
		JsonObject map = typed("object").with("additionalProperties", value(field.type().require(2)));
		String keys = keys(field.type().require(1).kind());
		return (keys != null) ? map.with("propertyNames", JsonObject.of("pattern", keys)) : map;
	}

	/** Returns the pattern of the keys of a map; null for any text. */
	private static @Nullable String keys(FieldKind kind) {
		return switch (kind) {
			case STRING -> null;
			case BOOL -> "^(true|false)$";
			default -> "^-?[0-9]+$";
		};
	}

	/** Returns the schema of one value. */
	private JsonObject value(MessageField field) {
		return switch (field.kind()) {
			case DOUBLE -> typed("number").with("format", "double");
			case FLOAT -> typed("number").with("format", "float");
			case BOOL -> typed("boolean");
			case STRING -> typed("string");
			case BYTES -> typed("string").with("format", "byte").with("contentEncoding", "base64");
			case INT32, SINT32, SFIXED32 -> typed("integer").with("format", "int32");
			case UINT32, FIXED32 ->
				typed("integer").with("minimum", BigDecimal.ZERO).with("maximum", BigDecimal.valueOf(MAX_UINT32));
			case INT64, SINT64, SFIXED64 -> typed("string").with("format", "int64").with("pattern", "^-?[0-9]{1,19}$");
			case UINT64, FIXED64 -> typed("string").with("format", "uint64").with("pattern", "^[0-9]{1,20}$");
			case ENUM -> reference(field.names());
			case MESSAGE -> reference(field.type());
			case GROUP -> throw new IllegalStateException(field.name() + " (expected: no group)");
		};
	}

	private JsonObject reference(EnumNames constants) {
		JsonObject schema = constants.isNull() ? typed("null")
				: typed("string").with("enum", List.copyOf(constants.numbers().keySet()));
		this.schemas.putIfAbsent(key(constants.name()), schema);
		return component(constants.name());
	}

	/**
	 * Adds the forms of texts and the constraints of a value in Java.
	 * @return true if an absent value violates the constraints
	 */
	private static boolean describe(FieldDeclaration declared, MessageField field, JsonObject property) {
		String form = declared.type().form();
		String format = (form != null) ? FORMATS.get(form.split(",")[0]) : null;
		if (format != null) {
			single(property).with("format", format);
		}
		List<String> words = new ArrayList<>(declared.forms());
		AnnotatedElement member = declared.member();
		boolean isRequired = member != null && !(member instanceof Class)
				&& Constraints.add(member, field, property, words);
		if (member instanceof Field && member.isAnnotationPresent(Deprecated.class)) {
			property.with("deprecated", true);
		}
		if (!words.isEmpty()) {
			property.with("description", String.join("; ", words));
		}
		return isRequired;
	}

	/** Returns the schema of the elements of a list or of the values of a map. */
	private static JsonObject single(JsonObject property) {
		Object elements = (property.get("items") != null) ? property.get("items")
				: property.get("additionalProperties");
		return (elements instanceof JsonObject schema) ? schema : property;
	}

}
