package io.rpcboot.serialization.jackson;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * The built-in values, by the names that contracts give them.
 */
final class JsonValues {

	private final Map<String, JsonType> values = new HashMap<>();

	private JsonValues() {
	}

	static Map<String, JsonType> all() {
		JsonValues all = new JsonValues();
		all.addScalars();
		all.addTimes();
		all.addObjects();

		return all.values;
	}

	private void add(JsonType type) {
		this.values.put(type.javaType().getTypeName(), type);
	}

	private void addScalars() {
		add(JsonValue.text(String.class, (text) -> text, (text) -> text));
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
		add(JsonValue.text(Character.class, Object::toString, JsonValues::ofCharacter));
		add(JsonValue.of(byte[].class, JsonGenerator::writeBinary, JsonValues::readBytes));
	}

	/** A double that its writer declares as float. */
	static JsonType widened() {
		return JsonValue.of(Double.class, (out, value) -> out.writeNumber(value.doubleValue()),
				(in) -> (double) Float.parseFloat(JsonNumbers.floating(in)), (text) -> (double) Float.parseFloat(text));
	}

	private static Boolean readBoolean(JsonParser in) {
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
		throw new JsonFailure("%s (expected: true or false)".formatted(text));
	}

	private static Character ofCharacter(String text) {
		if (text.length() != 1) {
			throw new JsonFailure("%d characters (expected: 1)".formatted(text.length()));
		}
		return text.charAt(0);
	}

	private static byte[] readBytes(JsonParser in) {
		JsonType.require(in, JsonToken.VALUE_STRING);
		return in.getBinaryValue();
	}

	private void addTimes() {
		add(JsonValue.text(LocalDate.class, Object::toString, LocalDate::parse));
		add(JsonValue.text(LocalTime.class, Object::toString, LocalTime::parse));
		add(JsonValue.text(LocalDateTime.class, Object::toString, LocalDateTime::parse));
		add(JsonValue.text(Instant.class, Object::toString, Instant::parse));
		add(JsonValue.text(Duration.class, Object::toString, Duration::parse));
		add(JsonValue.text(Period.class, Object::toString, Period::parse));
		add(JsonValue.text(ZonedDateTime.class, Object::toString, ZonedDateTime::parse));
		add(JsonValue.text(OffsetDateTime.class, Object::toString, OffsetDateTime::parse));
		add(JsonValue.text(OffsetTime.class, Object::toString, OffsetTime::parse));
		add(JsonValue.of(Year.class, (out, value) -> out.writeNumber(value.getValue()),
				(in) -> Year.of((int) JsonNumbers.integer(in, Year.MIN_VALUE, Year.MAX_VALUE)),
				(text) -> Year.of(Integer.parseInt(text))));
		add(JsonValue.text(YearMonth.class, JsonValues::text, YearMonth::parse));
		add(JsonValue.text(MonthDay.class, Object::toString, MonthDay::parse));
		add(JsonValue.text(ZoneOffset.class, ZoneOffset::getId, ZoneOffset::of));
		add(JsonValue.text(ZoneId.class, ZoneId::getId, ZoneId::of));
		add(JsonValue.text(Date.class, (date) -> Instant.ofEpochMilli(date.getTime()).toString(),
				(text) -> new Date(Instant.parse(text).toEpochMilli())));
	}

	/** JDK 17 leaves out the sign that it wants to read. */
	private static String text(YearMonth value) {
		String text = value.toString();
		return (value.getYear() > 9999 && !text.startsWith("+")) ? "+" + text : text;
	}

	private void addObjects() {
		add(JsonValue.of(Void.class, (out, value) -> out.writeNull(), JsonValues::readNothing));
		add(JsonValue.text(UUID.class, UUID::toString, JsonValues::ofUuid));
		add(JsonValue.text(BigInteger.class, JsonNumbers::text, JsonNumbers::bigInteger));
		add(JsonValue.text(BigDecimal.class, JsonNumbers::text, JsonNumbers::bigDecimal));
	}

	private static Void readNothing(JsonParser in) {
		throw new JsonFailure("%s (expected: null)".formatted(in.currentToken()));
	}

	private static UUID ofUuid(String text) {
		if (text.length() != 36) {
			throw new JsonFailure("%d characters of a UUID (expected: 36)".formatted(text.length()));
		}
		return UUID.fromString(text);
	}

}
