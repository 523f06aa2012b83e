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
		boolean isRounded = this.file == WellKnownFile.DURATION && seconds < 0 && nanos > 0;
		out.put(1, requireSeconds(isRounded ? seconds + 1 : seconds));
		out.put(2, isRounded ? nanos - NANOS_PER_SECOND : nanos);
	}

	private long requireSeconds(long seconds) {
		long least = (this.file == WellKnownFile.TIMESTAMP) ? FIRST : -LONGEST;
		long most = (this.file == WellKnownFile.TIMESTAMP) ? LAST : LONGEST;
		if (seconds < least || seconds > most) {
			throw new PathException("%d s (expected: %d to %d, the range of protobuf)".formatted(seconds, least, most));
		}
		return seconds;
	}

	@Override
	protected Object readFields(ProtobufInput in) {
		long seconds = 0;
		int nanos = 0;
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
		boolean isInstant = this.file == WellKnownFile.TIMESTAMP;
		if (Math.abs((long) nanos) >= NANOS_PER_SECOND || nanos < 0 && (isInstant || seconds > 0)
				|| nanos > 0 && !isInstant && seconds < 0) {
			throw new PathException("%d s and %d ns (expected: less than a second of ns, with the sign of the seconds)"
				.formatted(seconds, nanos));
		}
		requireSeconds(seconds);
		return isInstant ? Instant.ofEpochSecond(seconds, nanos) : Duration.ofSeconds(seconds, nanos);
	}

	@Override
	public TypeName name(Declarations file) {
		return file.wellKnown(this.file);
	}

}
