package io.rpcboot.transport;

/**
 * Options of the event loops of a side. Immutable. <pre>{@code
 * RpcServer.builder().eventLoop(EventLoopOptions.defaults().withThreads(2))
 * }</pre>
 *
 * @since 0.1.0
 */
public final class EventLoopOptions extends Options {

	private static final EventLoopOptions DEFAULTS = new EventLoopOptions();

	private Transport transport = Transport.AUTO;

	private int threads;

	private int acceptorThreads = 1;

	private EventLoopOptions() {
	}

	/** Implementation of sockets. */
	public enum Transport {

		/**
		 * epoll, else kqueue, if the native library is present and has Netty's version;
		 * else NIO.
		 */
		AUTO,

		/** Java NIO, on every platform. */
		NIO,

		/** Linux epoll; start-up fails if it is not available. */
		EPOLL,

		/** kqueue of macOS and BSD; start-up fails if it is not available. */
		KQUEUE,

		/** Linux io_uring; start-up fails if it is not available. */
		IO_URING,

		/**
		 * No sockets: client and server in one JVM, for tests. The port identifies a
		 * server; the host has no meaning. Client and server must both use it.
		 */
		IN_PROCESS

	}

	/**
	 * Returns the defaults: automatic transport and number of event loops, one acceptor.
	 * @return the defaults
	 */
	public static EventLoopOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Returns a copy with another transport.
	 * @param transport the transport
	 * @return a copy
	 */
	public EventLoopOptions withTransport(Transport transport) {
		return copy((changed) -> changed.transport = transport);
	}

	/**
	 * Returns a copy with another number of event loops for connections.
	 * @param threads 1 or more, or 0 for one per core, at most 4
	 * @return a copy
	 * @throws InvalidOptionException if it is negative
	 */
	public EventLoopOptions withThreads(int threads) {
		require(threads >= 0, "event-loop.threads", threads, "0 (automatic) or more");
		return copy((changed) -> changed.threads = threads);
	}

	/**
	 * Returns a copy with another number of event loops that accept connections.
	 * @param threads 1 or more; a client ignores it
	 * @return a copy
	 * @throws InvalidOptionException if it is less
	 */
	public EventLoopOptions withAcceptorThreads(int threads) {
		require(threads >= 1, "event-loop.acceptor-threads", threads, "1 or more");
		return copy((changed) -> changed.acceptorThreads = threads);
	}

	/**
	 * Returns the transport.
	 * @return the transport
	 */
	public Transport transport() {
		return this.transport;
	}

	/**
	 * Returns the number of event loops for connections.
	 * @return 1 or more, 0 for one per core, at most 4
	 */
	public int threads() {
		return this.threads;
	}

	/**
	 * Returns the number of event loops that accept connections.
	 * @return 1 or more
	 */
	public int acceptorThreads() {
		return this.acceptorThreads;
	}

}
