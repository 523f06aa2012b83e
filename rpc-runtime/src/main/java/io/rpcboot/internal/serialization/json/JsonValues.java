package io.rpcboot.internal.serialization.json;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.rpcboot.internal.serialization.types.graph.Node.ArrayNode;
import io.rpcboot.internal.serialization.types.value.Numbers;
import io.rpcboot.internal.serialization.types.value.ScalarSurrogate;
import io.rpcboot.internal.serialization.types.value.TextSurrogates;
import io.rpcboot.serialization.PathException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonToken;

/**
 * Types of the built-in values, by class.
 */
final class JsonValues {

	/** Double that the writer declares as float. */
	static final JsonValue<Double> WIDENED = new JsonValue<>(Double.class, JsonGenerator::writeNumber,
			(in) -> (double) Float.parseFloat(JsonNumbers.floating(in)), (text) -> (double) Float.parseFloat(text));

	private static final Map<Class<?>, JsonType> ALL = all();

	private JsonValues() {
	}

	/** Returns the type of a built-in class, for primitives by their boxes. */
	static JsonType of(Class<?> type) {
		return Objects.requireNonNull(ALL.get(type), type.getName());
	}

	private static Map<Class<?>, JsonType> all() {
		Map<Class<?>, JsonType> all = new HashMap<>();
		for (JsonValue<?> each : List.of(JsonValue.TEXT,
				new JsonValue<>(Boolean.class, JsonGenerator::writeBoolean, JsonValues::readBoolean,
						JsonValues::ofBoolean),
				new JsonValue<>(Byte.class, JsonGenerator::writeNumber,
						(in) -> (byte) JsonNumbers.integer(in, Byte.MIN_VALUE, Byte.MAX_VALUE), Byte::valueOf),
				new JsonValue<>(Short.class, JsonGenerator::writeNumber,
						(in) -> (short) JsonNumbers.integer(in, Short.MIN_VALUE, Short.MAX_VALUE), Short::valueOf),
				new JsonValue<>(Integer.class, JsonGenerator::writeNumber,
						(in) -> (int) JsonNumbers.integer(in, Integer.MIN_VALUE, Integer.MAX_VALUE), Integer::valueOf),
				new JsonValue<>(Long.class, JsonGenerator::writeNumber,
						(in) -> JsonNumbers.integer(in, Long.MIN_VALUE, Long.MAX_VALUE), Long::valueOf),
				new JsonValue<>(Float.class, JsonGenerator::writeNumber,
						(in) -> Float.valueOf(JsonNumbers.floating(in)), Float::valueOf),
				new JsonValue<>(Double.class, JsonGenerator::writeNumber,
						(in) -> Double.valueOf(JsonNumbers.floating(in)), Double::valueOf),
				new JsonValue<>(Character.class, (out, value) -> out.writeText(value.toString()),
						(in) -> ofCharacter(in.string()), JsonValues::ofCharacter),
				new JsonValue<>(byte[].class, JsonGenerator::writeBinary, JsonValues::readBytes, null),
				new JsonValue<>(Void.class, (out, value) -> out.writeNull(), JsonValues::readNothing, null))) {
			all.put(each.javaType(), each);
		}
		for (ScalarSurrogate each : TextSurrogates.all()) {
			JsonType known = all.get(each.basis());
			all.put(each.javaType(),
					new JsonSurrogate(each, (known != null) ? known : array(all, each.basis()), JsonSurrogate.SIZE));
		}
		return Map.copyOf(all);
	}

	private static JsonType array(Map<Class<?>, JsonType> all, Class<?> type) {
		Class<?> component = type.getComponentType();
		return new JsonArray(ArrayNode.of(component), Objects.requireNonNull(all.get(Numbers.box(component))));
	}

	private static Boolean readBoolean(JsonInput in) {
		if (in.currentToken() == JsonToken.VALUE_TRUE) {
			return true;
		}
		in.require(JsonToken.VALUE_FALSE);
		return false;
	}

	private static Boolean ofBoolean(String text) {
		if (text.equals("true") || text.equals("false")) {
			return text.equals("true");
		}
		throw new PathException("%s (expected: true or false)".formatted(text));
	}

	private static Character ofCharacter(String text) {
		if (text.length() != 1) {
			throw new PathException("%d characters (expected: 1)".formatted(text.length()));
		}
		return text.charAt(0);
	}

	private static byte[] readBytes(JsonInput in) {
		in.require(JsonToken.VALUE_STRING);
		in.chargeText(in.getStringLength());
		return in.getBinaryValue();
	}

	private static Void readNothing(JsonInput in) {
		throw new PathException("%s (expected: null)".formatted(in.found()));
	}

}
