package io.rpcboot.internal.transport;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.ServerChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.ChannelGroupFuture;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.rpcboot.Endpoint;
import io.rpcboot.Side;
import io.rpcboot.internal.concurrent.EngineHealth;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.InboundHandler;
import io.rpcboot.internal.transport.connection.PatientTimer;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.internal.transport.eventloop.ResilientEventLoops;
import io.rpcboot.internal.transport.eventloop.TransportType;
import io.rpcboot.internal.transport.frame.BodyAllocator;
import io.rpcboot.internal.transport.tls.TlsContext;
import io.rpcboot.internal.transport.write.FlushPolicy;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.TransportRecorder;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.SocketOptions;
import org.jspecify.annotations.Nullable;

/** The event loops of a client or a server and the sockets on them. Any thread. */
public final class Transport implements AutoCloseable {

	private static final int MAX_AUTOMATIC_THREADS = 4;

	/** Tries to find a free in-process port. */
	private static final int MAX_GUESSES = 100;

	private final TransportType nativeTransport;

	private final ResilientEventLoops workers;

	private final ResilientEventLoops acceptors;

	private final ChannelGroup connections = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE, true);

	private final ConnectionCounters counters = new ConnectionCounters();

	private final SocketOptions socket;

	private final Duration unanswered;

	private final ByteBufAllocator allocator;

	private final @Nullable TransportRecorder recorder;

	private final EngineHealth health = new EngineHealth();

	private volatile @Nullable TransportGauges gauges;

	private volatile boolean closing;

	/**
	 * Creates event loops. Their threads start when needed.
	 * @param name begins the names of the threads
	 * @param eventLoop transport type and number of loops
	 * @param socket socket options
	 * @param unanswered longest time without an acknowledgement of sent bytes, if the
	 * transport supports it; 0 for the default of the system
	 * @param recorder receives metrics, null for none
	 */
	public Transport(String name, EventLoopOptions eventLoop, SocketOptions socket, Duration unanswered,
			@Nullable TransportRecorder recorder) {
		this.nativeTransport = TransportType.choose(eventLoop.transport());
		int threads = (eventLoop.threads() > 0) ? eventLoop.threads()
				: Math.min(Runtime.getRuntime().availableProcessors(), MAX_AUTOMATIC_THREADS);
		this.workers = group(threads, name + "-loop-");
		this.acceptors = group(eventLoop.acceptorThreads(), name + "-acceptor-");
		this.socket = socket;
		this.unanswered = unanswered;
		this.allocator = BodyAllocator.allocator(socket.allocator());
		this.recorder = recorder;
	}

	/**
	 * Returns the recorder for the connections of a side.
	 * @param metrics the metrics
	 * @param side the side
	 * @return null without metrics
	 */
	public static @Nullable TransportRecorder recorder(RpcMetrics metrics, Side side) {
		return metrics.isNone() ? null : metrics.transport(side);
	}

	/**
	 * Checks that a configured transport type works on this machine.
	 * @param eventLoop has the transport type
	 * @throws io.rpcboot.RpcConfigurationException if it does not work
	 */
	public static void requireUsable(EventLoopOptions eventLoop) {
		if (eventLoop.transport() != EventLoopOptions.Transport.AUTO) {
			TransportType.choose(eventLoop.transport());
		}
	}

	private ResilientEventLoops group(int threads, String prefix) {
		return new ResilientEventLoops(threads, prefix, this.nativeTransport.ioHandlerFactory(), this.health,
				this::isClosing);
	}

	/**
	 * Returns the health of event loops and ports.
	 * @return the health
	 */
	public EngineHealth health() {
		return this.health;
	}

	/**
	 * Registers gauges until this transport is closed. Once, before the first connection.
	 * @param metrics receives the gauges
	 * @param side the side
	 * @param bodies allocates large bodies
	 */
	public void offer(RpcMetrics metrics, Side side, BodyAllocator bodies) {
		TransportGauges offered = new TransportGauges(metrics);
		offered.offer(side, this.workers, this.counters);
		offered.offer(this.allocator);
		if (bodies.allocator() != this.allocator) {
			offered.offer(bodies.allocator());
		}
		this.gauges = offered;
	}

	/**
	 * Returns the transport type in use.
	 * @return the configured one, or the one chosen for AUTO
	 */
	public EventLoopOptions.Transport kind() {
		return EventLoopOptions.Transport.valueOf(this.nativeTransport.name());
	}

	/**
	 * Returns an event loop for timers without a connection.
	 * @return runs its tasks on one thread
	 */
	public ScheduledExecutorService anyLoop() {
		return this.workers.next();
	}

	/**
	 * Connects. Returns at once.
	 * @param endpoint address of the server
	 * @param timeout longest time to connect
	 * @param tls TLS of the connection, null for clear text; connections in one process
	 * have none
	 * @param batching options for flushing
	 * @param protocol creates the handler of received bytes
	 * @param failed called once if the connection fails, on any thread
	 */
	public void connect(Endpoint endpoint, Duration timeout, TlsContext.@Nullable Target tls, BatchingOptions batching,
			Function<Connection, InboundHandler> protocol, Consumer<Throwable> failed) {
		long start = System.nanoTime();
		Consumer<Channel> setUp = (channel) -> {
			if (tls != null && this.nativeTransport.resolvesHosts()) {
				tls.connect(channel, endpoint);
			}
			install(channel, endpoint.toString(), batching, protocol);
		};
		begin(endpoint, timeout, setUp, (cause) -> {
			if (this.recorder != null && !this.closing) {
				this.recorder.connectFailed(endpoint.toString(),
						Objects.requireNonNullElseGet(cause.getMessage(), cause::toString), System.nanoTime() - start);
			}
			failed.accept(cause);
		});
	}

	private void begin(Endpoint endpoint, Duration timeout, Consumer<Channel> setUp, Consumer<Throwable> failed) {
		if (!this.nativeTransport.resolvesHosts()) {
			connect(TransportType.inProcess(endpoint.port()), timeout, setUp, failed);
			return;
		}
		if (NetUtil.isValidIpV4Address(endpoint.host()) || NetUtil.isValidIpV6Address(endpoint.host())) {
			connect(new InetSocketAddress(endpoint.host(), endpoint.port()), timeout, setUp, failed);
			return;
		}
		try {
			Thread resolver = new Thread(() -> {
				InetSocketAddress address;
				try {
					address = new InetSocketAddress(InetAddress.getByName(endpoint.host()), endpoint.port());
				}
				catch (UnknownHostException ex) {
					failed.accept(new UnknownHostException("unknown host " + endpoint.host()));
					return;
				}
				catch (Throwable ex) {
					failed.accept(ex);
					return;
				}
				connect(address, timeout, setUp, failed);
			}, "rpc-resolver");
			resolver.setDaemon(true);
			resolver.start();
		}
		catch (Throwable ex) {
			failed.accept(ex);
		}
	}

	private void connect(SocketAddress address, Duration timeout, Consumer<Channel> setUp, Consumer<Throwable> failed) {
		if (this.closing) { // during the look-up of the host
			failed.accept(new ClosedChannelException());
			return;
		}
		PatientTimer limit = new PatientTimer(timeout);
		AtomicReference<@Nullable Throwable> late = new AtomicReference<>();
		try {
			new Bootstrap().group(this.workers)
				.channel(this.nativeTransport.channel())
				.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0)
				.handler(new Initializer((channel) -> {
					limit.start(channel.eventLoop()::schedule, () -> {
						late.set(new ConnectTimeoutException(
								"connection timed out after %d ms".formatted(timeout.toMillis())));
						channel.close();
					});
					setUp.accept(channel);
				}))
				.connect(address)
				.addListener((ChannelFuture future) -> {
					limit.stop();
					if (!future.isSuccess()) {
						failed.accept(Objects.requireNonNullElseGet(late.get(), future::cause));
					}
				});
		}
		catch (Throwable ex) {
			failed.accept(ex);
		}
	}

	private void install(Channel channel, String remote, BatchingOptions batching,
			Function<Connection, InboundHandler> protocol) {
		SocketConfigurer.apply(channel, this.socket, this.allocator, this.nativeTransport.userTimeout(),
				this.unanswered);
		this.counters.add(Connection.install(channel, remote, new FlushPolicy(batching), this.recorder, protocol),
				channel);
	}

	/** Sets a connection up, or closes it. */
	@Sharable
	private final class Initializer extends ChannelInitializer<Channel> {

		private final Consumer<Channel> setUp;

		Initializer(Consumer<Channel> setUp) {
			this.setUp = setUp;
		}

		@Override
		protected void initChannel(Channel channel) {
			if (admit(channel)) {
				this.setUp.accept(channel);
			}
		}

		@Override
		public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
			context.close();
			Transport.this.health.log().survived("Setting up a connection", cause);
		}

	}

	/**
	 * Listens. Waits until the port is bound.
	 * @param address host name or address, empty for all
	 * @param port the port, 0 for any free one
	 * @param batching options for flushing
	 * @param admission decides which clients are served
	 * @param headerTimeout longest time until a proxy has told its client
	 * @param protocol creates the handler of received bytes for each connection
	 * @return the listener
	 * @throws java.io.IOException if the address cannot be bound
	 */
	public Listener listen(String address, int port, BatchingOptions batching, ConnectionAdmission admission,
			Duration headerTimeout, Function<Connection, InboundHandler> protocol) throws java.io.IOException {
		ServerChannel channel = this.nativeTransport.newServerChannel();
		channel.config().setOption(ChannelOption.SO_BACKLOG, this.socket.backlog());
		channel.config().setOption(ChannelOption.SO_REUSEADDR, true);
		Initializer initializer = new Initializer((child) -> {
			Consumer<SocketAddress> serve = (client) -> install(child, describe(client), batching, protocol);
			if (admission.isProxy(child.remoteAddress())) {
				child.pipeline().addLast(new ProxyProtocolDecoder(child, admission, headerTimeout, serve));
			}
			else {
				serve.accept(child.remoteAddress());
			}
		});
		channel.pipeline().addLast(new Acceptor(this.workers, initializer, admission, this.health));
		ChannelFuture bound = this.acceptors.register(channel).awaitUninterruptibly();
		if (bound.isSuccess()) {
			bound = bind(channel, address, port);
		}
		if (!bound.isSuccess()) {
			channel.close();
			Throwable cause = bound.cause();
			throw new java.io.IOException(Objects.requireNonNullElseGet(cause.getMessage(), cause::toString), cause);
		}
		return new Listener(channel);
	}

	private ChannelFuture bind(Channel channel, String address, int port) {
		ChannelFuture bound = channel.bind(this.nativeTransport.listenAddress(address, port)).awaitUninterruptibly();
		// only for in-process ports; the system finds a free port for sockets
		for (int i = 1; i < MAX_GUESSES && !bound.isSuccess() && this.nativeTransport.guesses(port); i++) {
			bound = channel.bind(this.nativeTransport.listenAddress(address, port)).awaitUninterruptibly();
		}
		return bound;
	}

	/** Adds a channel. Returns false if all connections are closed already. */
	boolean admit(Channel channel) {
		this.connections.add(channel);
		return channel.isOpen();
	}

	static String describe(SocketAddress address) {
		return (address instanceof InetSocketAddress inet) ? NetUtil.toSocketAddressString(inet)
				: String.valueOf(address);
	}

	/**
	 * Returns true after {@link #close()} was called.
	 * @return false while the transport is open
	 */
	public boolean isClosing() {
		return this.closing;
	}

	/** Closes all connections and ends the loops. Waits at most 12 seconds. */
	@Override
	public void close() {
		this.closing = true;
		boolean mayWait = !(Thread.currentThread() instanceof EventLoopThread);
		ChannelGroupFuture closed = this.connections.close();
		if (mayWait) {
			// a loop that ends may leave its channels open silently
			closed.awaitUninterruptibly(2, TimeUnit.SECONDS);
		}
		this.acceptors.shutdownGracefully(0, 2, TimeUnit.SECONDS);
		this.workers.shutdownGracefully(0, 2, TimeUnit.SECONDS);
		if (mayWait) {
			this.acceptors.terminationFuture().awaitUninterruptibly(5, TimeUnit.SECONDS);
			this.workers.terminationFuture().awaitUninterruptibly(5, TimeUnit.SECONDS);
		}
		TransportGauges offered = this.gauges;
		if (offered != null) {
			this.gauges = null;
			offered.close();
		}
	}

	/** A bound port. */
	public final class Listener {

		private final Channel channel;

		private volatile boolean closed;

		Listener(Channel channel) {
			this.channel = channel;
			channel.closeFuture().addListener((done) -> {
				if (!this.closed && !isClosing()) {
					Transport.this.health.failed("listening on a port", null);
				}
			});
		}

		/**
		 * Returns the port.
		 * @return 1 to 65535
		 */
		public int port() {
			return TransportType.port(this.channel.localAddress());
		}

		/** Closes the port. */
		public void close() {
			this.closed = true;
			this.channel.close().awaitUninterruptibly(2, TimeUnit.SECONDS);
		}

	}

}
