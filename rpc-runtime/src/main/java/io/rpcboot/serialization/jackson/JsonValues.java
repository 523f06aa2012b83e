package io.rpcboot.serialization.jackson;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import io.rpcboot.serialization.types.Node.ArrayNode;
import io.rpcboot.serialization.types.Numbers;
import io.rpcboot.serialization.types.PathException;
import io.rpcboot.serialization.types.ReadBudget;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonToken;

/**
 * The built-in values, by the names that contracts give them.
 */
final class JsonValues {

	/** A number of any length, besides its digits. */
	private static final int LARGE = 128;

	private static final Map<Class<?>, JsonType> ALL = all();

	private final Map<Class<?>, JsonType> values = new HashMap<>();

	private JsonValues() {
	}

	/** What a box, or any other value, is in JSON. */
	static JsonType of(Class<?> type) {
		return Objects.requireNonNull(ALL.get(type), type.getName());
	}

	private static Map<Class<?>, JsonType> all() {
		JsonValues all = new JsonValues();
		all.addScalars();
		all.addObjects();
		JsonForms.all().forEach((each) -> all.add(new JsonForm(each, all.basis(each.basis()))));
		return Map.copyOf(all.values);
	}

	private void add(JsonType type) {
		this.values.put(type.javaType(), type);
	}

	private JsonType basis(Class<?> type) {
		JsonType known = this.values.get(type);
		return (known != null) ? known : new JsonArray(ArrayNode.of(type.getComponentType()),
				Objects.requireNonNull(this.values.get(Numbers.box(type.getComponentType()))));
	}

	private void addScalars() {
		add(JsonValue.text(String.class, 0, (text) -> text, (text) -> text));
		add(JsonValue.of(Boolean.class, JsonGenerator::writeBoolean, JsonValues::readBoolean, JsonValues::ofBoolean));
		add(JsonValue.of(Byte.class, (out, value) -> out.writeNumber(value.shortValue()),
				(in) -> (byte) JsonNumbers.integer(in, Byte.MIN_VALUE, Byte.MAX_VALUE), Byte::valueOf));
		add(JsonValue.of(Short.class, (out, value) -> out.writeNumber(value.shortValue()),
				(in) -> (short) JsonNumbers.integer(in, Short.MIN_VALUE, Short.MAX_VALUE), Short::valueOf));
		add(JsonValue.of(Integer.class, (out, value) -> out.writeNumber(value.intValue()),
				(in) -> (int) JsonNumbers.integer(in, Integer.MIN_VALUE, Integer.MAX_VALUE), Integer::valueOf));
		add(JsonValue.of(Long.class, (out, value) -> out.writeNumber(value.longValue()),
				(in) -> JsonNumbers.integer(in, Long.MIN_VALUE, Long.MAX_VALUE), Long::valueOf));
		add(JsonValue.of(Float.class, (out, value) -> out.writeNumber(value.floatValue()),
				(in) -> Float.valueOf(JsonNumbers.floating(in)), Float::valueOf));
		add(JsonValue.of(Double.class, (out, value) -> out.writeNumber(value.doubleValue()),
				(in) -> Double.valueOf(JsonNumbers.floating(in)), Double::valueOf));
		add(JsonValue.text(Character.class, ReadBudget.BOX, Object::toString, JsonValues::ofCharacter));
		add(JsonValue.of(byte[].class, JsonGenerator::writeBinary, JsonValues::readBytes));
	}

	/** A double that its writer declares as float. */
	static JsonType widened() {
		return JsonValue.of(Double.class, (out, value) -> out.writeNumber(value.doubleValue()),
				(in) -> (double) Float.parseFloat(JsonNumbers.floating(in)), (text) -> (double) Float.parseFloat(text));
	}

	private static Boolean readBoolean(JsonInput in) {
		if (in.currentToken() == JsonToken.VALUE_TRUE) {
			return true;
		}
		JsonType.require(in, JsonToken.VALUE_FALSE);
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
		JsonType.require(in, JsonToken.VALUE_STRING);
		in.chargeText(in.getStringLength());
		return in.getBinaryValue();
	}

	private void addObjects() {
		add(JsonValue.of(Void.class, (out, value) -> out.writeNull(), JsonValues::readNothing));
		add(JsonValue.text(BigInteger.class, LARGE, JsonNumbers::text, JsonNumbers::bigInteger));
		add(JsonValue.text(BigDecimal.class, LARGE, JsonNumbers::text, JsonNumbers::bigDecimal));
	}

	private static Void readNothing(JsonInput in) {
		throw new PathException("%s (expected: null)".formatted(in.currentToken()));
	}

}
