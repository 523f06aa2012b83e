package io.rpcboot.transport;

/**
 * The event loops of a side. Immutable.
 */
public final class EventLoopOptions extends Options {

	private static final EventLoopOptions DEFAULTS = new EventLoopOptions();

	private Transport transport = Transport.AUTO;

	private int threads;

	private int acceptorThreads = 1;

	private EventLoopOptions() {
	}

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
		IO_URING,

		/**
		 * No sockets: client and server in one JVM, for tests. A server is found by its
		 * port alone, whatever the host. Client and server have to agree on it.
		 */
		IN_PROCESS

	}

	/**
	 * Automatic transport and number of loops, one acceptor.
	 * @return the defaults
	 */
	public static EventLoopOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Change how sockets are served.
	 * @param transport the choice
	 * @return a copy
	 */
	public EventLoopOptions withTransport(Transport transport) {
		return copy((changed) -> changed.transport = transport);
	}

	/**
	 * Change the number of event loops for connections.
	 * @param threads 0 for one per core but at most 4, or more
	 * @return a copy
	 */
	public EventLoopOptions withThreads(int threads) {
		require(threads >= 0, "event-loop.threads", threads, "0 (automatic) or more");
		return copy((changed) -> changed.threads = threads);
	}

	/**
	 * Change the number of event loops that accept connections.
	 * @param threads 1 or more; a client has none and ignores it
	 * @return a copy
	 */
	public EventLoopOptions withAcceptorThreads(int threads) {
		require(threads >= 1, "event-loop.acceptor-threads", threads, "1 or more");
		return copy((changed) -> changed.acceptorThreads = threads);
	}

	/**
	 * How sockets are served.
	 * @return the choice
	 */
	public Transport transport() {
		return this.transport;
	}

	/**
	 * Event loops for connections.
	 * @return their number, 0 for one per core but at most 4
	 */
	public int threads() {
		return this.threads;
	}

	/**
	 * Event loops that accept connections.
	 * @return their number
	 */
	public int acceptorThreads() {
		return this.acceptorThreads;
	}

}
