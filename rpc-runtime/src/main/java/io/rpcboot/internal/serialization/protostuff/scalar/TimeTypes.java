package io.rpcboot.internal.serialization.protostuff.scalar;

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
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;

import io.protostuff.WireFormat.FieldType;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import io.rpcboot.internal.serialization.types.value.ScalarSurrogates;
import io.rpcboot.serialization.PathException;

/**
 * The types of java.time. A date is one varint: year, 4 bits of the month, 5 bits of the
 * day. A time is one varint: hour, 6 bits of the minute, 6 of the second, then 0, 10, 20
 * or 30 bits of the fraction, and 2 bits that tell seconds, milliseconds, microseconds
 * and nanoseconds apart. Example: a date and time of 2026 with microseconds has 9 bytes.
 */
final class TimeTypes {

	private static final long NANOS_PER_SECOND = 1_000_000_000;

	private static final int MILLI_BITS = 10;

	private static final int MICRO_BITS = 20;

	private static final int NANO_BITS = 30;

	/** Step of the offsets that the JDK caches, in seconds. */
	private static final int KNOWN_OFFSET = 15 * 60;

	/** Heap size of an offset with its name, in bytes. */
	private static final int ZONE = 256;

	private TimeTypes() {
	}

	static List<BuiltInType<?>> all() {
		return List.of(
				new BuiltInType<>(LocalDate.class, FieldType.SINT64,
						(out, number, value) -> out.writeSInt64(number, pack(value)), (in) -> date(in.readSInt64())),
				new BuiltInType<>(LocalTime.class, FieldType.UINT64,
						(out, number, value) -> out.writeInt64(number, pack(value)), (in) -> time(in.readLargeInt64())),
				new BuiltInType<>(LocalDateTime.class, FieldType.BYTES, TimeTypes::write, TimeTypes::readDateTime),
				new BuiltInType<>(Instant.class, FieldType.BYTES,
						(out, number, value) -> out.writePair(number, value.getEpochSecond(), value.getNano()),
						TimeTypes::readInstant),
				new BuiltInType<>(Duration.class, FieldType.BYTES,
						(out, number, value) -> out.writePair(number, value.getSeconds(), value.getNano()),
						TimeTypes::readDuration),
				new BuiltInType<>(Period.class, FieldType.MESSAGE, TimeTypes::writePeriod, TimeTypes::readPeriod),
				new BuiltInType<>(ZonedDateTime.class, FieldType.MESSAGE, TimeTypes::writeZoned, TimeTypes::readZoned),
				new BuiltInType<>(OffsetDateTime.class, FieldType.MESSAGE, TimeTypes::writeOffset,
						TimeTypes::readOffset),
				new BuiltInType<>(OffsetTime.class, FieldType.MESSAGE, TimeTypes::writeOffsetTime,
						TimeTypes::readOffsetTime),
				new BuiltInType<>(Year.class, FieldType.SINT32,
						(out, number, value) -> out.writeSInt32(number, value.getValue()),
						(in) -> Year.of(in.readSInt32())),
				new BuiltInType<>(YearMonth.class, FieldType.SINT64,
						(out, number, value) -> out.writeSInt64(number, value.getYear() * 16L + value.getMonthValue()),
						(in) -> yearMonth(in.readSInt64())),
				new BuiltInType<>(MonthDay.class, FieldType.UINT32,
						(out, number, value) -> out.writeUInt32(number,
								value.getMonthValue() << 5 | value.getDayOfMonth()),
						(in) -> monthDay(in.readUInt32())),
				new BuiltInType<>(ZoneOffset.class, FieldType.SINT32,
						(out, number, value) -> out.writeSInt32(number, value.getTotalSeconds()),
						(in) -> offset(in.readSInt32(), in)));
	}

	private static long pack(LocalDate date) {
		return (long) date.getYear() << 9 | date.getMonthValue() << 5 | date.getDayOfMonth();
	}

	private static LocalDate date(long packed) {
		return LocalDate.of(Math.toIntExact(packed >> 9), (int) (packed >> 5) & 0xF, (int) packed & 0x1F);
	}

	private static long pack(LocalTime time) {
		int second = time.getHour() << 12 | time.getMinute() << 6 | time.getSecond();
		int nano = time.getNano();
		if (nano == 0) {
			return (long) second << 2;
		}
		int micro = nano / 1000;
		if (micro * 1000 != nano) {
			return ((long) second << NANO_BITS | nano) << 2 | 3;
		}
		int milli = micro / 1000;
		return (milli * 1000 == micro) ? ((long) second << MILLI_BITS | milli) << 2 | 1
				: ((long) second << MICRO_BITS | micro) << 2 | 2;
	}

	private static LocalTime time(long packed) {
		long rest = packed >>> 2;
		return switch ((int) packed & 3) {
			case 0 -> time(rest, 0);
			case 1 -> time(rest >>> MILLI_BITS, ((int) rest & (1 << MILLI_BITS) - 1) * 1_000_000);
			case 2 -> time(rest >>> MICRO_BITS, ((int) rest & (1 << MICRO_BITS) - 1) * 1_000);
			default -> time(rest >>> NANO_BITS, (int) rest & (1 << NANO_BITS) - 1);
		};
	}

	private static LocalTime time(long second, int nano) {
		return LocalTime.of(Math.toIntExact(second >>> 12), (int) second >>> 6 & 0x3F, (int) second & 0x3F, nano);
	}

	private static void write(ProtostuffOutput out, int number, LocalDateTime value) {
		out.writePair(number, pack(value.toLocalDate()), pack(value.toLocalTime()));
	}

	private static LocalDateTime readDateTime(ProtostuffInput in) {
		int end = in.readPairEnd();
		LocalDateTime value = LocalDateTime.of(date(in.readSInt64()), time(in.readLargeInt64()));
		in.requirePosition(end);
		return value;
	}

	private static Instant readInstant(ProtostuffInput in) {
		int end = in.readPairEnd();
		Instant value = Instant.ofEpochSecond(in.readSInt64(), nanos(in));
		in.requirePosition(end);
		return value;
	}

	private static long nanos(ProtostuffInput in) {
		long nanos = in.readLargeInt64();
		if (nanos < 0 || nanos >= NANOS_PER_SECOND) {
			throw new PathException("%d ns (expected: 0 to 999999999)".formatted(nanos));
		}
		return nanos;
	}

	private static Duration readDuration(ProtostuffInput in) {
		int end = in.readPairEnd();
		Duration value = Duration.ofSeconds(in.readSInt64(), nanos(in));
		in.requirePosition(end);
		return value;
	}

	private static void writePeriod(ProtostuffOutput out, int number, Period value) {
		out.writeSInt32(1, value.getYears());
		out.writeSInt32(2, value.getMonths());
		out.writeSInt32(3, value.getDays());
	}

	private static Period readPeriod(ProtostuffInput in) {
		return Period.of(readSInt32(in, 1), readSInt32(in, 2), readSInt32(in, 3));
	}

	private static int readSInt32(ProtostuffInput in, int number) {
		in.requireTag(number, FieldType.SINT32);
		return in.readSInt32();
	}

	private static void writeZoned(ProtostuffOutput out, int number, ZonedDateTime value) {
		write(out, 1, value.toLocalDateTime());
		out.writeSInt32(2, value.getOffset().getTotalSeconds());
		out.writeText(3, value.getZone().getId());
	}

	private static ZonedDateTime readZoned(ProtostuffInput in) {
		in.requireTag(1, FieldType.BYTES);
		LocalDateTime local = readDateTime(in);
		ZoneOffset offset = offset(readSInt32(in, 2), in);
		in.requireTag(3, FieldType.STRING);
		return ScalarSurrogates.zoned(local, offset, ScalarSurrogates.zone(in.readText(), in));
	}

	private static void writeOffset(ProtostuffOutput out, int number, OffsetDateTime value) {
		write(out, 1, value.toLocalDateTime());
		out.writeSInt32(2, value.getOffset().getTotalSeconds());
	}

	private static OffsetDateTime readOffset(ProtostuffInput in) {
		in.requireTag(1, FieldType.BYTES);
		return OffsetDateTime.of(readDateTime(in), offset(readSInt32(in, 2), in));
	}

	private static void writeOffsetTime(ProtostuffOutput out, int number, OffsetTime value) {
		out.writeInt64(1, pack(value.toLocalTime()));
		out.writeSInt32(2, value.getOffset().getTotalSeconds());
	}

	private static OffsetTime readOffsetTime(ProtostuffInput in) {
		in.requireTag(1, FieldType.UINT64);
		return OffsetTime.of(time(in.readLargeInt64()), offset(readSInt32(in, 2), in));
	}

	private static ZoneOffset offset(int seconds, ProtostuffInput in) {
		if (seconds % KNOWN_OFFSET != 0) {
			in.charge(ZONE);
		}
		return ZoneOffset.ofTotalSeconds(seconds);
	}

	private static YearMonth yearMonth(long packed) {
		return YearMonth.of(Math.toIntExact(packed >> 4), (int) packed & 0xF);
	}

	private static MonthDay monthDay(int packed) {
		return MonthDay.of(packed >> 5, packed & 0x1F);
	}

}
