package io.rpcboot.internal.serialization.types.value;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Time;
import java.sql.Timestamp;
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
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongFunction;

import io.rpcboot.serialization.PathException;

/**
 * Conversions of JDK classes to texts, numbers or bytes for formats that have no values
 * of several parts: those of all formats, and those of numbers and times.
 */
public final class TextSurrogates {

	private static final int UUID_LENGTH = 36;

	private static final byte START = 11;

	private static final byte ADDRESS = 10;

	private static final byte NAME = 18;

	private static final byte END = 12;

	private TextSurrogates() {
	}

	/** Returns all conversions, one for each class. */
	public static List<ScalarSurrogate> all() {
		List<ScalarSurrogate> all = new ArrayList<>(ScalarSurrogates.all());
		all.add(ScalarSurrogate.of(BigInteger.class, String.class, NumberTexts::text, NumberTexts::bigInteger));
		all.add(ScalarSurrogate.of(BigDecimal.class, String.class, NumberTexts::text, NumberTexts::bigDecimal));
		all.add(text(LocalDate.class, LocalDate::parse));
		all.add(text(LocalTime.class, LocalTime::parse));
		all.add(text(LocalDateTime.class, LocalDateTime::parse));
		all.add(text(Instant.class, Instant::parse));
		all.add(text(Duration.class, Duration::parse));
		all.add(text(Period.class, Period::parse));
		all.add(text(ZonedDateTime.class, TextSurrogates::zoned));
		all.add(text(OffsetDateTime.class, OffsetDateTime::parse));
		all.add(text(OffsetTime.class, OffsetTime::parse));
		all.add(text(MonthDay.class, MonthDay::parse));
		all.add(ScalarSurrogate.of(Year.class, Integer.class, Year::getValue, Year::of));
		all.add(ScalarSurrogate.of(YearMonth.class, String.class, TextSurrogates::text, YearMonth::parse));
		all.add(ScalarSurrogate.of(ZoneOffset.class, String.class, ZoneOffset::getId, ZoneOffset::of));
		all.add(date(Date.class, Date::new));
		if (ScalarSurrogates.isSqlPresent()) {
			all.addAll(Sql.surrogates());
		}
		all.add(ScalarSurrogate.of(UUID.class, String.class, UUID::toString, TextSurrogates::uuid));
		all.add(ScalarSurrogate.of(ByteBuffer.class, byte[].class, TextSurrogates::remaining, ByteBuffer::wrap));
		for (Class<? extends InetAddress> each : List.of(InetAddress.class, Inet4Address.class, Inet6Address.class)) {
			all.add(address(each));
		}
		return all;
	}

	private static <V> ScalarSurrogate text(Class<V> type, Function<String, V> parser) {
		return ScalarSurrogate.of(type, String.class, Object::toString, parser);
	}

	/**
	 * Parses local time, offset and zone apart. {@code ZonedDateTime.parse} would replace
	 * the offset by the one of the zone's rules.
	 */
	private static ZonedDateTime zoned(String text) {
		TemporalAccessor parsed = DateTimeFormatter.ISO_ZONED_DATE_TIME.parse(text);
		return ScalarSurrogates.zoned(LocalDateTime.from(parsed), ZoneOffset.from(parsed), ZoneId.from(parsed));
	}

	/**
	 * Adds the sign of a year above 9999. JDK 17 requires it in a text and does not write
	 * it.
	 */
	private static String text(YearMonth value) {
		String text = value.toString();
		return (value.getYear() > 9999 && !text.startsWith("+")) ? "+" + text : text;
	}

	/** Creates the conversion of a date, whose subclasses arrive as the class itself. */
	private static <V extends Date> ScalarSurrogate date(Class<V> type, LongFunction<V> maker) {
		return new ScalarSurrogate(type, String.class,
				(value) -> Instant.ofEpochMilli(type.cast(value).getTime()).toString(),
				(text, budget) -> maker.apply(Instant.parse((String) text).toEpochMilli()));
	}

	private static UUID uuid(String text) {
		if (text.length() != UUID_LENGTH) {
			throw new PathException("%d characters of a UUID (expected: %d)".formatted(text.length(), UUID_LENGTH));
		}
		return UUID.fromString(text);
	}

	/** Returns the remaining bytes. The position is unchanged. */
	private static byte[] remaining(ByteBuffer buffer) {
		byte[] bytes = new byte[Numbers.requireBigEndian(buffer).remaining()];
		buffer.get(buffer.position(), bytes);
		return bytes;
	}

	/**
	 * Creates the conversion of an address to the bytes of the default serializer: a
	 * group of the bytes (1) and the name (2), each behind its length.
	 */
	private static <A extends InetAddress> ScalarSurrogate address(Class<A> type) {
		return ScalarSurrogate.of(type, byte[].class, TextSurrogates::bytes, (bytes) -> {
			A address = address(type, ByteBuffer.wrap(bytes));
			if (!Arrays.equals(bytes(address), bytes)) {
				throw new PathException("other bytes than those of %s (expected: an address)".formatted(address));
			}
			return address;
		});
	}

	/**
	 * Reads the result of {@link #bytes}. The caller compares the bytes of the result to
	 * refuse other input.
	 */
	private static <A extends InetAddress> A address(Class<A> type, ByteBuffer in) {
		byte[] bytes = new byte[in.position(2).get()];
		in.get(bytes);
		if (in.get() != NAME) {
			return Addresses.of(type, null, bytes);
		}
		while (in.get() < 0) {
			continue;
		}
		byte[] name = new byte[in.remaining() - 1];
		in.get(name);
		return Addresses.of(type, new String(name, StandardCharsets.UTF_8), bytes);
	}

	private static byte[] bytes(InetAddress value) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		out.write(START);
		write(out, ADDRESS, Addresses.bytes(value));
		String name = Addresses.name(value);
		if (!name.isEmpty()) {
			write(out, NAME, name.getBytes(StandardCharsets.UTF_8));
		}
		out.write(END);
		return out.toByteArray();
	}

	private static void write(ByteArrayOutputStream out, byte tag, byte[] part) {
		out.write(tag);
		int rest = part.length;
		for (; rest > Byte.MAX_VALUE; rest >>>= 7) {
			out.write(rest | 0x80);
		}
		out.write(rest);
		out.writeBytes(part);
	}

	/** The dates of module java.sql. Loaded only if the module is present. */
	private static final class Sql {

		static List<ScalarSurrogate> surrogates() {
			return List.of(date(java.sql.Date.class, java.sql.Date::new), date(Time.class, Time::new),
					new ScalarSurrogate(Timestamp.class, String.class,
							(value) -> ((Timestamp) value).toInstant().toString(),
							(text, budget) -> timestamp((String) text)));
		}

		private static Timestamp timestamp(String text) {
			Instant instant = Instant.parse(text);
			Timestamp value = new Timestamp(instant.toEpochMilli());
			value.setNanos(instant.getNano());
			return value;
		}

	}

}
