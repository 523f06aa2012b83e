package io.rpcboot.transport;

/**
 * The sockets of a side. Sizes are in bytes.
 *
 * @param tcpNoDelay whether small segments are sent at once; batches make Nagle's
 * algorithm needless, so true
 * @param sendBuffer SO_SNDBUF, 0 for the system's own
 * @param receiveBuffer SO_RCVBUF, 0 for the system's own
 * @param backlog connections waiting to be accepted, 1 or more; a client ignores it
 * @param lowWaterMark unsent bytes below which a connection takes frames again
 * @param highWaterMark unsent bytes above which a connection takes no more frames
 * @param allocator where the buffers come from
 */
public record SocketOptions(boolean tcpNoDelay, int sendBuffer, int receiveBuffer, int backlog, int lowWaterMark,
		int highWaterMark, Allocator allocator) {

	/** Where the buffers of a connection come from. */
	public enum Allocator {

		/** Netty's pool in arenas. */
		POOLED,

		/** Netty's pool that adapts the sizes of its chunks to what is asked for. */
		ADAPTIVE,

		/** No pool: each buffer is allocated and freed. */
		UNPOOLED

	}

	public SocketOptions {
		Options.require(sendBuffer >= 0, "socket.send-buffer", sendBuffer, "0 (the system's own) or more bytes");
		Options.require(receiveBuffer >= 0, "socket.receive-buffer", receiveBuffer,
				"0 (the system's own) or more bytes");
		Options.require(backlog >= 1, "socket.backlog", backlog, "1 or more");
		Options.require(lowWaterMark >= 1, "socket.low-water-mark", lowWaterMark, "1 byte or more");
		Options.require(highWaterMark >= lowWaterMark, "socket.high-water-mark", highWaterMark,
				"at least socket.low-water-mark, which is " + lowWaterMark);
	}

	/**
	 * No delay, the system's buffers, backlog 1024, water marks 256 KiB and 1 MiB, the
	 * pooled allocator.
	 * @return the defaults
	 */
	public static SocketOptions defaults() {
		return new SocketOptions(true, 0, 0, 1024, 256 * 1024, 1024 * 1024, Allocator.POOLED);
	}

}
