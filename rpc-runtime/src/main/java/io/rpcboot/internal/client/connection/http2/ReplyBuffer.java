package io.rpcboot.internal.client.connection.http2;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * Array of a connection for a short reply until its trailers have arrived. They usually
 * follow at once, so that few replies need an array of their own. Event loop only.
 */
final class ReplyBuffer {

	private static final int LENGTH = 256;

	private final byte[] bytes = new byte[LENGTH];

	/** Stream whose reply is in the array, null if it is free. */
	private @Nullable Holder holder;

	/** Stream with a reply. */
	interface Holder {

		/** Moves the reply into an array of its own. */
		void leaveBuffer();

	}

	/**
	 * Copies a reply, into the array if it is short. An earlier one gets another array.
	 * @return begins with the reply
	 */
	byte[] copy(Holder stream, byte[] in, int offset, int count) {
		if (count > LENGTH) {
			return Arrays.copyOfRange(in, offset, offset + count);
		}
		if (this.holder != null) {
			this.holder.leaveBuffer();
		}
		this.holder = stream;
		System.arraycopy(in, offset, this.bytes, 0, count);
		return this.bytes;
	}

	/** Returns true if an array is that of this buffer. */
	boolean owns(byte @Nullable [] array) {
		return array == this.bytes;
	}

	/** Frees the array if it has the reply of a stream, which has ended. */
	void ended(Holder stream) {
		if (this.holder == stream) {
			this.holder = null;
		}
	}

}
