package io.rpcboot.internal.protocol.http2;

import java.util.Arrays;

import io.netty.buffer.ByteBuf;

/**
 * Values of one SETTINGS frame (RFC 9113, section 6.5). A parameter without a value stays
 * as it was. Unknown parameters are ignored.
 */
public final class Http2Settings {

	/** Size of the table of the sender's HPACK decoder, in bytes. */
	public static final int HEADER_TABLE_SIZE = 1;

	/** Permission of PUSH_PROMISE: 0 or 1. */
	public static final int ENABLE_PUSH = 2;

	/** Number of streams that the receiver may have open. */
	public static final int MAX_CONCURRENT_STREAMS = 3;

	/** Window of each stream at its begin, in bytes of DATA. */
	public static final int INITIAL_WINDOW_SIZE = 4;

	/** Longest payload of a frame that the sender reads, in bytes. */
	public static final int MAX_FRAME_SIZE = 5;

	/** Longest list of header fields that the sender reads, in bytes. */
	public static final int MAX_HEADER_LIST_SIZE = 6;

	/** Value of {@link #HEADER_TABLE_SIZE} before the first SETTINGS. */
	public static final int DEFAULT_HEADER_TABLE_SIZE = 4096;

	/** Window of the connection, and of a stream before the first SETTINGS. */
	public static final int DEFAULT_WINDOW_SIZE = 65_535;

	/** Value of {@link #MAX_FRAME_SIZE} before the first SETTINGS, and its minimum. */
	public static final int DEFAULT_MAX_FRAME_SIZE = 16_384;

	/** Size of a parameter in a frame: its number and its value. */
	static final int ENTRY_LENGTH = 6;

	private static final int MAX_MAX_FRAME_SIZE = 0xffffff;

	private static final long UNSET = -1;

	/** Values by the number of their parameter. */
	private final long[] values = new long[MAX_HEADER_LIST_SIZE + 1];

	private long smallestTableSize = Long.MAX_VALUE;

	/** Creates settings without a value. */
	public Http2Settings() {
		Arrays.fill(this.values, UNSET);
	}

	/**
	 * Sets a value. The last value of a parameter counts.
	 * @param parameter number of the parameter
	 * @param value its value, 32 bits without sign
	 * @return this
	 * @throws Http2Exception for a value outside of the parameter's bounds; in scope of
	 * the connection
	 */
	public Http2Settings set(int parameter, long value) {
		switch (parameter) {
			case HEADER_TABLE_SIZE -> this.smallestTableSize = Math.min(this.smallestTableSize, value);
			case ENABLE_PUSH -> require(value <= 1, Http2Error.PROTOCOL_ERROR, "ENABLE_PUSH (expected: 0 or 1)");
			case INITIAL_WINDOW_SIZE -> require(value <= Integer.MAX_VALUE, Http2Error.FLOW_CONTROL_ERROR,
					"INITIAL_WINDOW_SIZE (expected: at most 2^31 - 1)");
			case MAX_FRAME_SIZE -> require(value >= DEFAULT_MAX_FRAME_SIZE && value <= MAX_MAX_FRAME_SIZE,
					Http2Error.PROTOCOL_ERROR, "MAX_FRAME_SIZE (expected: 16384 to 2^24 - 1)");
			default -> {
			}
		}
		if (parameter > 0 && parameter < this.values.length) {
			this.values[parameter] = value;
		}
		return this;
	}

	private static void require(boolean valid, Http2Error error, String message) {
		if (!valid) {
			throw Http2Exception.connection(error, message);
		}
	}

	/**
	 * Returns the value of a parameter.
	 * @param parameter a constant of this class
	 * @param absent result if the parameter has no value
	 */
	public long get(int parameter, long absent) {
		long value = this.values[parameter];
		return (value == UNSET) ? absent : value;
	}

	/**
	 * Returns the smallest {@link #HEADER_TABLE_SIZE} that was set, because an encoder
	 * has to announce it before the last one (RFC 7541, section 4.2).
	 * @param absent result if there is none
	 */
	long smallestTableSize(long absent) {
		return (this.smallestTableSize == Long.MAX_VALUE) ? absent : this.smallestTableSize;
	}

	/** Returns the length of the payload. */
	int length() {
		int count = 0;
		for (long value : this.values) {
			count += (value == UNSET) ? 0 : 1;
		}
		return count * ENTRY_LENGTH;
	}

	void write(ByteBuf out) {
		for (int parameter = 1; parameter < this.values.length; parameter++) {
			if (this.values[parameter] != UNSET) {
				out.writeShort(parameter).writeInt((int) this.values[parameter]);
			}
		}
	}

}
