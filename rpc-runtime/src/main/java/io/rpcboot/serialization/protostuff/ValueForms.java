package io.rpcboot.serialization.protostuff;

import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.nio.ByteBuffer;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;

import org.jspecify.annotations.Nullable;

/**
 * The classes of the JDK that have a simpler form.
 */
public final class ValueForms {

	private static final int UUID_LENGTH = 36;

	private final List<ValueForm> forms = new ArrayList<>();

	private ValueForms() {
	}

	/**
	 * All forms.
	 * @return one for each class
	 */
	public static List<ValueForm> all() {
		ValueForms all = new ValueForms();
		all.addTimes();
		all.addBytes();
		all.addHolders();
		all.addNames();
		return List.copyOf(all.forms);
	}

	/**
	 * Refuse a decimal that takes too much time to be compared, as sorted sets do.
	 * @param value the decimal
	 * @return the same
	 * @throws SerializationException if it has more than 4,096 bits
	 */
	public static BigDecimal requireFewDigits(BigDecimal value) {
		try {
			BuiltInTypes.requireFewDigits(value);
			return value;
		}
		catch (PathException ex) {
			throw ValueForm.failure(ex);
		}
	}

	private void addTimes() {
		add(LocalDate.class, String.class, Object::toString, LocalDate::parse);
		add(LocalTime.class, String.class, Object::toString, LocalTime::parse);
		add(LocalDateTime.class, String.class, Object::toString, LocalDateTime::parse);
		add(Instant.class, String.class, Object::toString, Instant::parse);
		add(Duration.class, String.class, Object::toString, Duration::parse);
		add(Period.class, String.class, Object::toString, Period::parse);
		add(ZonedDateTime.class, String.class, Object::toString, ZonedDateTime::parse);
		add(OffsetDateTime.class, String.class, Object::toString, OffsetDateTime::parse);
		add(OffsetTime.class, String.class, Object::toString, OffsetTime::parse);
		add(Year.class, Integer.class, Year::getValue, Year::of);
		add(YearMonth.class, String.class, ValueForms::text, YearMonth::parse);
		add(MonthDay.class, String.class, Object::toString, MonthDay::parse);
		add(ZoneOffset.class, String.class, ZoneOffset::getId, ZoneOffset::of);
		add(ZoneId.class, String.class, ZoneId::getId, ZoneId::of);
		addDate(Date.class, Date::new);
		if (SqlTypes.isPresent()) {
			SqlForms.addTo(this);
		}
	}

	/** JDK 17 leaves out the sign that it wants to read. */
	private static String text(YearMonth value) {
		String text = value.toString();
		return (value.getYear() > 9999 && !text.startsWith("+")) ? "+" + text : text;
	}

	<V extends Date> void addDate(Class<V> type, Function<Long, V> maker) {
		add(type, String.class, (value) -> {
			Exact.require(value, type);
			return Instant.ofEpochMilli(value.getTime()).toString();
		}, (text) -> maker.apply(Instant.parse(text).toEpochMilli()));
	}

	private void addBytes() {
		add(UUID.class, String.class, UUID::toString, ValueForms::uuid);
		add(BitSet.class, byte[].class, BitSet::toByteArray, BitSet::valueOf);
		add(ByteBuffer.class, byte[].class, ValueForms::remaining, ByteBuffer::wrap);
		add(AtomicInteger.class, Integer.class, AtomicInteger::get, AtomicInteger::new);
		add(AtomicLong.class, Long.class, AtomicLong::get, AtomicLong::new);
		add(AtomicBoolean.class, Boolean.class, AtomicBoolean::get, AtomicBoolean::new);
		add(AtomicIntegerArray.class, int[].class,
				(value) -> IntStream.range(0, value.length()).map(value::get).toArray(), AtomicIntegerArray::new);
		add(AtomicLongArray.class, long[].class,
				(value) -> IntStream.range(0, value.length()).mapToLong(value::get).toArray(), AtomicLongArray::new);
	}

	private static UUID uuid(String text) {
		if (text.length() != UUID_LENGTH) {
			throw new PathException("%d characters of a UUID (expected: %d)".formatted(text.length(), UUID_LENGTH));
		}
		return UUID.fromString(text);
	}

	/** What remains, without a move of the position. */
	private static byte[] remaining(ByteBuffer buffer) {
		byte[] bytes = new byte[buffer.remaining()];
		buffer.get(buffer.position(), bytes);
		return bytes;
	}

	private void addHolders() {
		addHolder(OptionalInt.class, Integer.class, (value) -> value.isPresent() ? value.getAsInt() : null,
				(value) -> (value != null) ? OptionalInt.of(value) : OptionalInt.empty());
		addHolder(OptionalLong.class, Long.class, (value) -> value.isPresent() ? value.getAsLong() : null,
				(value) -> (value != null) ? OptionalLong.of(value) : OptionalLong.empty());
		addHolder(OptionalDouble.class, Double.class, (value) -> value.isPresent() ? value.getAsDouble() : null,
				(value) -> (value != null) ? OptionalDouble.of(value) : OptionalDouble.empty());
	}

	/** What the default serializer writes as text, by its own rules. */
	private void addNames() {
		List<BuiltInType<?>> named = new ArrayList<>(LocaleTypes.all());
		named.addAll(NetTypes.all());
		for (BuiltInType<?> each : named) {
			boolean isAddress = InetAddress.class.isAssignableFrom(each.javaType());
			this.forms.add(isAddress ? address(each)
					: new ValueForm(each.javaType(), String.class, false, (value) -> nameOf(each, value),
							(text, budget) -> ofName(each, (String) Objects.requireNonNull(text), budget)));
		}
	}

	private static Object nameOf(BuiltInType<?> type, Object value) {
		ProtostuffInput in = write((out) -> type.writeField(out, 1, value));
		in.readTag();
		return Text.read(in);
	}

	private static Object ofName(BuiltInType<?> type, String text, ReadBudget budget) {
		ProtostuffInput in = write((out) -> Text.write(out, 1, text));
		long allowed = in.allowance;
		Object value = Objects.requireNonNull(type.takeField(in, 1));
		budget.charge(allowed - in.allowance);
		return value;
	}

	/** An address is rare, so it is the default serializer's bytes. */
	private static ValueForm address(BuiltInType<?> type) {
		return new ValueForm(type.javaType(), byte[].class, false, (value) -> {
			ProtostuffInput in = write((out) -> type.writeField(out, 1, value));
			return Arrays.copyOf(in.array, in.limit);
		}, (value, budget) -> {
			byte[] bytes = (byte[]) Objects.requireNonNull(value);
			ProtostuffInput in = new ProtostuffInput(bytes, 0, bytes.length);
			long allowed = in.allowance;
			Object address = type.takeField(in, 1);
			budget.charge(allowed - in.allowance);
			in.requireEnd();
			if (address == null) {
				throw new PathException("no address (expected: one)");
			}
			return address;
		});
	}

	private static ProtostuffInput write(Consumer<ProtostuffOutput> writer) {
		OutputBuffer buffer = new OutputBuffer(new byte[Byte.MAX_VALUE], Integer.MAX_VALUE);
		ProtostuffOutput out = ProtostuffOutput.of(buffer);
		writer.accept(out);
		out.finish();
		return new ProtostuffInput(buffer.array(), 0, buffer.position());
	}

	<V, B> void add(Class<V> type, Class<B> basis, Function<V, B> writer, Function<B, V> reader) {
		this.forms.add(new ValueForm(type, basis, false, (value) -> {
			if (!Modifier.isAbstract(type.getModifiers())) {
				Exact.require(value, type);
			}
			return writer.apply(type.cast(value));
		}, (value, budget) -> reader.apply(basis.cast(Objects.requireNonNull(value)))));
	}

	private <V, B> void addHolder(Class<V> type, Class<B> basis, Function<V, @Nullable B> writer,
			Function<@Nullable B, V> reader) {
		this.forms.add(new ValueForm(type, basis, true, (value) -> writer.apply(type.cast(value)),
				(value, budget) -> reader.apply(basis.cast(value))));
	}

}
