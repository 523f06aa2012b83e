package io.rpcboot.transport;

/**
 * Options of the sockets of a side. Sizes are in bytes. Immutable. <pre>{@code
 * RpcClient.builder().socket(SocketOptions.defaults().withWaterMarks(64 * 1024, 256 * 1024))
 * }</pre>
 *
 * @since 0.1.0
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

	/** Allocator of the buffers of a connection. */
	public enum Allocator {

		/** Netty's pool of arenas. */
		POOLED,

		/** Netty's pool that adapts the size of its chunks to the requests. */
		ADAPTIVE,

		/** No pool: each buffer is allocated and freed. */
		UNPOOLED

	}

	/**
	 * Returns the defaults: TCP_NODELAY, buffer sizes of the operating system, backlog
	 * 1024, water marks 256 KiB and 1 MiB, the pooled allocator.
	 * @return the defaults
	 */
	public static SocketOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Returns a copy with another TCP_NODELAY.
	 * @param noDelay true to send small segments at once; batches replace Nagle's
	 * algorithm, so true by default
	 * @return a copy
	 */
	public SocketOptions withTcpNoDelay(boolean noDelay) {
		return copy((changed) -> changed.tcpNoDelay = noDelay);
	}

	/**
	 * Returns a copy with another SO_SNDBUF.
	 * @param bytes 0 for the value of the operating system
	 * @return a copy
	 * @throws InvalidOptionException if it is negative
	 */
	public SocketOptions withSendBuffer(int bytes) {
		require(bytes >= 0, "socket.send-buffer", bytes, "0 (the system's own) or more bytes");
		return copy((changed) -> changed.sendBuffer = bytes);
	}

	/**
	 * Returns a copy with another SO_RCVBUF.
	 * @param bytes 0 for the value of the operating system
	 * @return a copy
	 * @throws InvalidOptionException if it is negative
	 */
	public SocketOptions withReceiveBuffer(int bytes) {
		require(bytes >= 0, "socket.receive-buffer", bytes, "0 (the system's own) or more bytes");
		return copy((changed) -> changed.receiveBuffer = bytes);
	}

	/**
	 * Returns a copy with another maximum of connections that wait for their acceptance.
	 * @param connections 1 or more; a client ignores it
	 * @return a copy
	 * @throws InvalidOptionException if it is less
	 */
	public SocketOptions withBacklog(int connections) {
		require(connections >= 1, "socket.backlog", connections, "1 or more");
		return copy((changed) -> changed.backlog = connections);
	}

	/**
	 * Returns a copy with other water marks of unsent bytes.
	 * @param low a connection accepts frames again below this mark, 1 or more
	 * @param high a connection accepts no frame above this mark, low or more
	 * @return a copy
	 * @throws InvalidOptionException if a value is out of range
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
	 * Returns a copy with another allocator.
	 * @param allocator the allocator of buffers
	 * @return a copy
	 */
	public SocketOptions withAllocator(Allocator allocator) {
		return copy((changed) -> changed.allocator = allocator);
	}

	/**
	 * Returns true if small segments are sent at once.
	 * @return true by default
	 */
	public boolean tcpNoDelay() {
		return this.tcpNoDelay;
	}

	/**
	 * Returns SO_SNDBUF.
	 * @return bytes, 0 for the value of the operating system
	 */
	public int sendBuffer() {
		return this.sendBuffer;
	}

	/**
	 * Returns SO_RCVBUF.
	 * @return bytes, 0 for the value of the operating system
	 */
	public int receiveBuffer() {
		return this.receiveBuffer;
	}

	/**
	 * Returns the maximum of connections that wait for their acceptance.
	 * @return 1 or more
	 */
	public int backlog() {
		return this.backlog;
	}

	/**
	 * Returns the unsent bytes below which a connection accepts frames again.
	 * @return 1 or more
	 */
	public int lowWaterMark() {
		return this.lowWaterMark;
	}

	/**
	 * Returns the unsent bytes above which a connection accepts no frame.
	 * @return the low water mark or more
	 */
	public int highWaterMark() {
		return this.highWaterMark;
	}

	/**
	 * Returns the allocator.
	 * @return the allocator of buffers
	 */
	public Allocator allocator() {
		return this.allocator;
	}

}
