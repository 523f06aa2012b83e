package io.rpcboot.internal.serialization.protostuff.wire;

import io.rpcboot.serialization.DetachedBytes;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the value of a message that is apart from its other bytes. Stands beside the
 * input, which has them.
 */
final class DetachedByteArrays {

	private DetachedByteArrays() {
	}

	/** Read a byte array, which may be the value. */
	static byte[] read(WireInput in, DetachedBytes value) {
		byte[] whole = take(in, value);
		return (whole != null) ? whole : in.copyByteArray();
	}

	/**
	 * Returns null, with nothing read, if the next value is not the one that is apart.
	 */
	private static byte @Nullable [] take(WireInput in, DetachedBytes value) {
		int mark = in.position;
		int length = in.readUInt32();
		if (in.position == value.at() && length == value.bytes().length) {
			in.apart = null;
			return value.bytes();
		}
		in.position = mark;
		return null;
	}

	/** Pass over bytes and their length. */
	static void skip(WireInput in) {
		if (in.apart == null || take(in, in.apart) == null) {
			in.take(in.readLength());
		}
	}

	static PathException tooLong(WireInput in, int length) {
		return new PathException("length %s (expected: at most the %d bytes that remain)"
			.formatted(Integer.toUnsignedString(length), in.limit - in.position));
	}

	static PathException leftOver(WireInput in) {
		int apart = (in.apart != null) ? in.apart.bytes().length : 0;
		return new PathException("%d bytes are left over behind the value".formatted(in.limit - in.position + apart));
	}

}
