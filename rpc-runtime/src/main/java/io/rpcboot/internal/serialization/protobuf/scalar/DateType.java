package io.rpcboot.internal.serialization.protobuf.scalar;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Map;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.TypeName;
import io.rpcboot.internal.serialization.protobuf.wire.LengthGuess;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import org.jspecify.annotations.Nullable;

/**
 * {@code LocalDate} or {@code LocalDateTime} as its text. The usual forms are written and
 * read without a string: {@code 2026-01-02}, {@code 2026-01-02T03:04}, and with seconds
 * and 3, 6 or 9 digits of their fraction.
 */
final class DateType extends SingularType {

	private static final int WEIGHT = 72;

	private static final int MAX_YEAR = 9999;

	private static final char NONE = 0;

	private static final int DATE = 10;

	/** Nanoseconds of the last digit of a time, by the length of its text. */
	private static final Map<Integer, Integer> TIMES = Map.of(16, 1, 19, 1, 23, 1_000_000, 26, 1_000, 29, 1);

	/** Writes and reads the other forms. */
	private final SingularType texts;

	private final boolean hasTime;

	private final LengthGuess guess = new LengthGuess();

	DateType(SingularType texts, boolean hasTime) {
		super(WireFormat.WIRETYPE_LENGTH_DELIMITED, WEIGHT);
		this.texts = texts;
		this.hasTime = hasTime;
	}

	@Override
	public void write(ProtobufOutput out, int number, Object value) {
		LocalDate date = this.hasTime ? ((LocalDateTime) value).toLocalDate() : (LocalDate) value;
		if (date.getYear() < 0 || date.getYear() > MAX_YEAR) {
			this.texts.write(out, number, value);
			return;
		}
		int start = out.startPacked(number, 1);
		out.packDigits(NONE, date.getYear(), 4);
		out.packDigits('-', date.getMonthValue(), 2);
		out.packDigits('-', date.getDayOfMonth(), 2);
		if (this.hasTime) {
			writeTime(out, (LocalDateTime) value);
		}
		out.endPacked(start, 1, this.guess);
	}

	private static void writeTime(ProtobufOutput out, LocalDateTime time) {
		int nano = time.getNano();
		out.packDigits('T', time.getHour(), 2);
		out.packDigits(':', time.getMinute(), 2);
		if (time.getSecond() > 0 || nano > 0) {
			out.packDigits(':', time.getSecond(), 2);
		}
		if (nano > 0) {
			int digits = (nano % 1_000 != 0) ? 9 : (nano % 1_000_000 != 0) ? 6 : 3;
			out.packDigits('.', (digits == 9) ? nano : (digits == 6) ? nano / 1_000 : nano / 1_000_000, digits);
		}
	}

	@Override
	public @Nullable Object read(ProtobufInput in) {
		Object value = readUsual(in);
		return (value != null) ? value : this.texts.read(in);
	}

	/** Reads the field. The state of another form than the usual ones is its text. */
	@Override
	public @Nullable Object readField(ProtobufInput in, int tag, @Nullable Object before) {
		requireTag(tag);
		in.note(WEIGHT);
		Object value = readUsual(in);
		return (value != null) ? value : this.texts.readField(in, tag, null);
	}

	@Override
	public @Nullable Object finish(ProtobufInput in, @Nullable Object state) {
		return (state instanceof String) ? this.texts.finish(in, state) : state;
	}

	/** Reads a usual form. Returns null without a change of the position for others. */
	private @Nullable Object readUsual(ProtobufInput in) {
		int start = in.position;
		int outside = in.enterPacked();
		Object value = usual(in.array, in.position, in.limit - in.position);
		in.position = (value != null) ? in.limit : start;
		in.leavePacked(outside);
		return value;
	}

	private @Nullable Object usual(byte[] array, int at, int length) {
		try {
			return parsed(array, at, length);
		}
		catch (DateTimeException ex) {
			return null;
		}
	}

	private @Nullable Object parsed(byte[] array, int at, int length) {
		Integer unit = this.hasTime ? TIMES.get(length) : null;
		if ((this.hasTime) ? unit == null : length != DATE) {
			return null;
		}
		int year = digits(array, at, NONE, 4);
		int month = digits(array, at + 4, '-', 2);
		int day = digits(array, at + 7, '-', 2);
		if (unit == null) {
			return ((year | month | day) < 0) ? null : LocalDate.of(year, month, day);
		}
		int hour = digits(array, at + 10, 'T', 2);
		int minute = digits(array, at + 13, ':', 2);
		int second = (length >= 19) ? digits(array, at + 16, ':', 2) : 0;
		int fraction = (length > 19) ? digits(array, at + 19, '.', length - 20) : 0;
		return ((year | month | day | hour | minute | second | fraction) < 0) ? null
				: LocalDateTime.of(year, month, day, hour, minute, second, fraction * unit);
	}

	/** Reads digits behind a character; negative if something else is there. */
	private static int digits(byte[] array, int at, char before, int count) {
		int first = (before == NONE) ? at : at + 1;
		int value = (before == NONE || array[at] == before) ? 0 : Integer.MIN_VALUE;
		for (int i = first; i < first + count; i++) {
			int digit = array[i] - '0';
			value = (value < 0 || digit < 0 || digit > 9) ? Integer.MIN_VALUE : value * 10 + digit;
		}
		return value;
	}

	@Override
	public boolean isMapKey() {
		return true;
	}

	@Override
	public TypeName name(Declarations file) {
		return this.texts.name(file);
	}

}
