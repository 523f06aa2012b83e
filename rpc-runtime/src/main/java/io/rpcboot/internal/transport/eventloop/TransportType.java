package io.rpcboot.internal.transport.eventloop;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.kqueue.KQueue;
import io.netty.channel.kqueue.KQueueIoHandler;
import io.netty.channel.kqueue.KQueueServerSocketChannel;
import io.netty.channel.kqueue.KQueueSocketChannel;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.local.LocalServerChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import io.netty.util.Version;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transport type: NIO, a native library, or in-process. A native library must have the
 * version of Netty's classes, because another version loads and fails later on an event
 * loop. Only the constant of a library touches its classes, which may be missing.
 */
public enum TransportType {

	NIO, EPOLL, KQUEUE, IO_URING, IN_PROCESS;

	private static final String IN_PROCESS_PREFIX = "rpc-";

	/** First dynamic port, as for sockets (RFC 6335). */
	private static final int LEAST_FREE_PORT = 49152;

	private static final Logger logger = LoggerFactory.getLogger("rpc.transport");

	/**
	 * State of a native library.
	 *
	 * @param cause why it cannot be loaded, null if it can
	 * @param classes version of Netty's classes
	 * @param natives version of the native library, empty if unknown
	 */
	record State(@Nullable Throwable cause, String classes, String natives) {

		boolean isUsable() {
			return this.cause == null && !isMixed();
		}

		/** Returns true if the library is of another version than the classes. */
		boolean isMixed() {
			return !this.natives.isEmpty() && !this.natives.equals(this.classes);
		}

		String problem() {
			return isMixed()
					? "its library is of Netty %s, the classes are of Netty %s".formatted(this.natives, this.classes)
					: String.valueOf((this.cause != null) ? text(this.cause) : null);
		}

		private static String text(Throwable cause) {
			return (cause instanceof NoClassDefFoundError) ? "its classes are not on the class path"
					: Objects.requireNonNullElseGet(cause.getMessage(), cause::toString);
		}

	}

	public static TransportType choose(EventLoopOptions.Transport wanted) {
		return choose(wanted, TransportType::state);
	}

	static TransportType choose(EventLoopOptions.Transport wanted, Function<TransportType, State> states) {
		return switch (wanted) {
			case AUTO -> automatic(states);
			case NIO -> NIO;
			case EPOLL -> EPOLL.require(states);
			case KQUEUE -> KQUEUE.require(states);
			case IO_URING -> IO_URING.require(states);
			case IN_PROCESS -> IN_PROCESS;
		};
	}

	private static TransportType automatic(Function<TransportType, State> states) {
		for (TransportType candidate : new TransportType[] { EPOLL, KQUEUE }) {
			State state = states.apply(candidate);
			if (state.isUsable()) {
				return candidate;
			}
			if (state.cause() == null) {
				logger.warn("Using NIO instead of {}: {}", candidate.text(), state.problem());
			}
		}
		return NIO;
	}

	private TransportType require(Function<TransportType, State> states) {
		State state = states.apply(this);
		if (state.isUsable()) {
			return this;
		}
		throw new InvalidOptionException("event-loop.transport", text(),
				"a transport that works here; %s does not: %s".formatted(text(), state.problem()),
				"Set event-loop.transport to auto or nio, or add io.netty:%s of version %s with the classifier of this platform."
					.formatted(artifact(), state.classes()));
	}

	private String text() {
		return name().toLowerCase(Locale.ROOT);
	}

	private String artifact() {
		return "netty-transport-native-" + text();
	}

	private State state() {
		Map<String, Version> versions = Version.identify();
		String classes = version(versions, "netty-common");
		try {
			return new State(unavailabilityCause(), classes, version(versions, artifact()));
		}
		catch (LinkageError ex) {
			return new State(ex, classes, version(versions, artifact()));
		}
	}

	private static String version(Map<String, Version> versions, String artifact) {
		return versions.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().startsWith(artifact))
			.map((entry) -> entry.getValue().artifactVersion())
			.findFirst()
			.orElse("");
	}

	private @Nullable Throwable unavailabilityCause() {
		return switch (this) {
			case NIO, IN_PROCESS -> null;
			case EPOLL -> Epoll.unavailabilityCause();
			case KQUEUE -> KQueue.unavailabilityCause();
			case IO_URING -> IoUring.unavailabilityCause();
		};
	}

	public IoHandlerFactory ioHandlerFactory() {
		return switch (this) {
			case NIO -> NioIoHandler.newFactory();
			case EPOLL -> EpollIoHandler.newFactory();
			case KQUEUE -> KQueueIoHandler.newFactory();
			case IO_URING -> IoUringIoHandler.newFactory();
			case IN_PROCESS -> LocalIoHandler.newFactory();
		};
	}

	public Class<? extends Channel> channel() {
		return switch (this) {
			case NIO -> NioSocketChannel.class;
			case EPOLL -> EpollSocketChannel.class;
			case KQUEUE -> KQueueSocketChannel.class;
			case IO_URING -> IoUringSocketChannel.class;
			case IN_PROCESS -> LocalChannel.class;
		};
	}

	/**
	 * Creates a channel that listens. Each constant returns by itself: at the end of a
	 * switch expression, compilers of JDK 25 let the verifier load all classes.
	 */
	public ServerChannel newServerChannel() {
		switch (this) {
			case EPOLL -> {
				return new EpollServerSocketChannel();
			}
			case KQUEUE -> {
				return new KQueueServerSocketChannel();
			}
			case IO_URING -> {
				return new IoUringServerSocketChannel();
			}
			case IN_PROCESS -> {
				return new LocalServerChannel();
			}
			default -> {
				return new LastingNioServerChannel();
			}
		}
	}

	/**
	 * Returns the option that closes a connection without acknowledgements of the peer
	 * (TCP_USER_TIMEOUT, RFC 5482), null if there is none.
	 */
	public @Nullable ChannelOption<Integer> userTimeout() {
		return switch (this) {
			case EPOLL -> EpollChannelOption.TCP_USER_TIMEOUT;
			case IO_URING -> IoUringChannelOption.TCP_USER_TIMEOUT;
			case NIO, KQUEUE, IN_PROCESS -> null;
		};
	}

	/** Returns true if host names must be resolved to addresses. */
	public boolean resolvesHosts() {
		return this != IN_PROCESS;
	}

	/**
	 * Returns the address to listen on.
	 * @param host host name or address, empty for all
	 * @param port the port, 0 for any free one
	 */
	public SocketAddress listenAddress(String host, int port) {
		if (this == IN_PROCESS) {
			return inProcess((port > 0) ? port : ThreadLocalRandom.current().nextInt(LEAST_FREE_PORT, 65536));
		}
		return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
	}

	/** Returns true if the port is a guess, which may be in use. */
	public boolean guesses(int port) {
		return this == IN_PROCESS && port == 0;
	}

	/** Returns the address of an in-process server. */
	public static SocketAddress inProcess(int port) {
		return new LocalAddress(IN_PROCESS_PREFIX + port);
	}

	/** Returns the port of a bound address. */
	public static int port(SocketAddress address) {
		return (address instanceof LocalAddress local)
				? Integer.parseInt(local.id().substring(IN_PROCESS_PREFIX.length()))
				: ((InetSocketAddress) address).getPort();
	}

	/** Keeps the port open when an accept fails for lack of memory; Netty closes it. */
	private static final class LastingNioServerChannel extends NioServerSocketChannel {

		@Override
		protected boolean closeOnReadError(Throwable cause) {
			return !isActive();
		}

	}

}
