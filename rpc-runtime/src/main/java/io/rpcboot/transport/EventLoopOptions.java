package io.rpcboot.transport;

/**
 * The event loops of a side.
 *
 * @param transport how sockets are served
 * @param threads event loops for connections, 0 for one per core but at most 4
 * @param acceptorThreads event loops that accept connections, 1 or more; a client has
 * none and ignores it
 */
public record EventLoopOptions(Transport transport, int threads, int acceptorThreads) {

	/** How sockets are served. */
	public enum Transport {

		/**
		 * epoll, else kqueue, where its native library works and has Netty's version,
		 * else NIO.
		 */
		AUTO,

		/** Java NIO, everywhere. */
		NIO,

		/** Linux epoll; start-up fails where it does not work. */
		EPOLL,

		/** kqueue of macOS and BSD; start-up fails where it does not work. */
		KQUEUE,

		/** Linux io_uring; start-up fails where it does not work. */
		IO_URING

	}

	public EventLoopOptions {
		Options.require(threads >= 0, "event-loop.threads", threads, "0 (automatic) or more");
		Options.require(acceptorThreads >= 1, "event-loop.acceptor-threads", acceptorThreads, "1 or more");
	}

	/**
	 * Automatic transport and number of loops, one acceptor.
	 * @return the defaults
	 */
	public static EventLoopOptions defaults() {
		return new EventLoopOptions(Transport.AUTO, 0, 1);
	}

}
