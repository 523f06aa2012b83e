package io.rpcboot.internal.serialization.protobuf.scalar;

import java.time.Duration;
import java.time.Instant;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.TypeName;
import io.rpcboot.internal.serialization.protobuf.schema.WellKnownFile;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * {@code google.protobuf.Timestamp} or {@code Duration}: seconds (1) and nanoseconds (2).
 * Values outside of protobuf's range are refused.
 */
final class TimeType extends MessageType {

	/** Heap size of an instance, in bytes. */
	private static final int WEIGHT = 24;

	private static final int NANOS_PER_SECOND = 1_000_000_000;

	/** Seconds of the year 1, from 1970. */
	private static final long FIRST = -62_135_596_800L;

	/** Last second of the year 9999. */
	private static final long LAST = 253_402_300_799L;

	/** Seconds of 10,000 years. */
	private static final long LONGEST = 315_576_000_000L;

	private final WellKnownFile file;

	TimeType(WellKnownFile file) {
		super(WEIGHT);
		this.file = file;
	}

	@Override
	protected void writeFields(ProtobufOutput out, Object value) {
		long seconds = (value instanceof Instant instant) ? instant.getEpochSecond() : ((Duration) value).getSeconds();
		int nanos = (value instanceof Instant instant) ? instant.getNano() : ((Duration) value).getNano();
		boolean isRounded = this.file == WellKnownFile.DURATION && isRounded(seconds, nanos);
		out.put(1, requireSeconds(isRounded ? seconds + 1 : seconds));
		out.put(2, isRounded ? nanos - NANOS_PER_SECOND : nanos);
	}

	/** Returns true if protobuf has a negative duration with one second more. */
	private static boolean isRounded(long seconds, int nanos) {
		return seconds < 0 && nanos > 0;
	}

	private long requireSeconds(long seconds) {
		if (seconds < least() || seconds > most()) {
			throw new PathException(
					"%d s (expected: %d to %d, the range of protobuf)".formatted(seconds, least(), most()));
		}
		return seconds;
	}

	private long least() {
		return (this.file == WellKnownFile.TIMESTAMP) ? FIRST : -LONGEST;
	}

	private long most() {
		return (this.file == WellKnownFile.TIMESTAMP) ? LAST : LONGEST;
	}

	@Override
	protected Object readPart(ProtobufInput in, @Nullable Object before) {
		Parts parts = parts(before);
		long seconds = (parts != null) ? parts.seconds : 0;
		int nanos = (parts != null) ? parts.nanos : 0;
		while (in.hasMore()) {
			int tag = in.readTag();
			if (tag == WireFormat.makeTag(1, WireFormat.WIRETYPE_VARINT)) {
				seconds = in.readLargeInt64();
			}
			else if (tag == WireFormat.makeTag(2, WireFormat.WIRETYPE_VARINT)) {
				nanos = in.readInteger();
			}
			else {
				in.skip(tag);
			}
		}
		return isValid(seconds, nanos) ? value(seconds, nanos) : new Parts(seconds, nanos);
	}

	private static @Nullable Parts parts(@Nullable Object before) {
		if (before == null || before instanceof Parts) {
			return (Parts) before;
		}
		return (before instanceof Instant instant) ? new Parts(instant.getEpochSecond(), instant.getNano())
				: Parts.of((Duration) before);
	}

	private Object value(long seconds, int nanos) {
		return (this.file == WellKnownFile.TIMESTAMP) ? Instant.ofEpochSecond(seconds, nanos)
				: Duration.ofSeconds(seconds, nanos);
	}

	private boolean isValid(long seconds, int nanos) {
		return seconds >= least() && seconds <= most() && areNanos(seconds, nanos);
	}

	private boolean areNanos(long seconds, int nanos) {
		boolean isInstant = this.file == WellKnownFile.TIMESTAMP;
		return nanos > -NANOS_PER_SECOND && nanos < NANOS_PER_SECOND && (nanos >= 0 || !isInstant && seconds <= 0)
				&& (nanos <= 0 || isInstant || seconds >= 0);
	}

	@Override
	protected Object create(ProtobufInput in, Object state) {
		if (!(state instanceof Parts parts)) {
			return state;
		}
		if (!areNanos(parts.seconds, parts.nanos)) {
			throw new PathException("%d s and %d ns (expected: less than a second of ns, with the sign of the seconds)"
				.formatted(parts.seconds, parts.nanos));
		}
		return value(requireSeconds(parts.seconds), parts.nanos);
	}

	@Override
	public TypeName name(Declarations file) {
		return file.wellKnown(this.file);
	}

	/**
	 * State of a message that is no value yet. That of any other is its value.
	 *
	 * @param seconds seconds
	 * @param nanos nanoseconds, as protobuf has them
	 */
	private record Parts(long seconds, int nanos) {

		static Parts of(Duration value) {
			return isRounded(value.getSeconds(), value.getNano())
					? new Parts(value.getSeconds() + 1, value.getNano() - NANOS_PER_SECOND)
					: new Parts(value.getSeconds(), value.getNano());
		}

	}

}
