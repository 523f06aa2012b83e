package io.rpcboot.transport;

/**
 * The sockets of a side. Sizes are in bytes. Immutable.
 */
public final class SocketOptions extends Options {

	private static final SocketOptions DEFAULTS = new SocketOptions();

	private boolean tcpNoDelay = true;

	private int sendBuffer;

	private int receiveBuffer;

	private int backlog = 1024;

	private int lowWaterMark = 256 * 1024;

	private int highWaterMark = 1024 * 1024;

	private Allocator allocator = Allocator.POOLED;

	private SocketOptions() {
	}

	/** Where the buffers of a connection come from. */
	public enum Allocator {

		/** Netty's pool in arenas. */
		POOLED,

		/** Netty's pool that adapts the sizes of its chunks to what is asked for. */
		ADAPTIVE,

		/** No pool: each buffer is allocated and freed. */
		UNPOOLED

	}

	/**
	 * No delay, the system's buffers, backlog 1024, water marks 256 KiB and 1 MiB, the
	 * pooled allocator.
	 * @return the defaults
	 */
	public static SocketOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Change whether small segments are sent at once.
	 * @param noDelay batches make Nagle's algorithm needless, so true by default
	 * @return a copy
	 */
	public SocketOptions withTcpNoDelay(boolean noDelay) {
		return copy((changed) -> changed.tcpNoDelay = noDelay);
	}

	/**
	 * Change SO_SNDBUF.
	 * @param bytes 0 for the system's own
	 * @return a copy
	 */
	public SocketOptions withSendBuffer(int bytes) {
		require(bytes >= 0, "socket.send-buffer", bytes, "0 (the system's own) or more bytes");
		return copy((changed) -> changed.sendBuffer = bytes);
	}

	/**
	 * Change SO_RCVBUF.
	 * @param bytes 0 for the system's own
	 * @return a copy
	 */
	public SocketOptions withReceiveBuffer(int bytes) {
		require(bytes >= 0, "socket.receive-buffer", bytes, "0 (the system's own) or more bytes");
		return copy((changed) -> changed.receiveBuffer = bytes);
	}

	/**
	 * Change how many connections wait to be accepted.
	 * @param connections 1 or more; a client ignores it
	 * @return a copy
	 */
	public SocketOptions withBacklog(int connections) {
		require(connections >= 1, "socket.backlog", connections, "1 or more");
		return copy((changed) -> changed.backlog = connections);
	}

	/**
	 * Change when a connection takes frames.
	 * @param low unsent bytes below which a connection takes frames again, 1 or more
	 * @param high unsent bytes above which a connection takes no more frames, at least
	 * the low mark
	 * @return a copy
	 */
	public SocketOptions withWaterMarks(int low, int high) {
		require(low >= 1, "socket.low-water-mark", low, "1 byte or more");
		require(high >= low, "socket.high-water-mark", high, "at least socket.low-water-mark, which is " + low);
		return copy((changed) -> {
			changed.lowWaterMark = low;
			changed.highWaterMark = high;
		});
	}

	/**
	 * Change where the buffers come from.
	 * @param allocator the choice
	 * @return a copy
	 */
	public SocketOptions withAllocator(Allocator allocator) {
		return copy((changed) -> changed.allocator = allocator);
	}

	/**
	 * Whether small segments are sent at once.
	 * @return false where they may wait
	 */
	public boolean tcpNoDelay() {
		return this.tcpNoDelay;
	}

	/**
	 * SO_SNDBUF.
	 * @return bytes, 0 for the system's own
	 */
	public int sendBuffer() {
		return this.sendBuffer;
	}

	/**
	 * SO_RCVBUF.
	 * @return bytes, 0 for the system's own
	 */
	public int receiveBuffer() {
		return this.receiveBuffer;
	}

	/**
	 * Connections that may wait to be accepted.
	 * @return their number
	 */
	public int backlog() {
		return this.backlog;
	}

	/**
	 * Unsent bytes below which a connection takes frames again.
	 * @return bytes
	 */
	public int lowWaterMark() {
		return this.lowWaterMark;
	}

	/**
	 * Unsent bytes above which a connection takes no more frames.
	 * @return bytes
	 */
	public int highWaterMark() {
		return this.highWaterMark;
	}

	/**
	 * Where the buffers come from.
	 * @return the choice
	 */
	public Allocator allocator() {
		return this.allocator;
	}

}
