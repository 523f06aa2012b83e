package io.rpcboot.internal.transport;

import java.util.Map;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.Version;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.transport.EventLoopOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How sockets are served: NIO, or epoll where its native library has the version of
 * Netty's classes. A library of another version loads, and fails later on an event loop.
 */
enum NativeTransport {

	NIO, EPOLL;

	private static final Logger logger = LoggerFactory.getLogger(NativeTransport.class);

	static NativeTransport choose(EventLoopOptions.Transport wanted) {
		return switch (wanted) {
			case NIO -> NIO;
			case AUTO -> isEpollUsable() ? EPOLL : NIO;
			case EPOLL -> {
				if (!isEpollUsable()) {
					throw new RpcConfigurationException("event-loop.transport: EPOLL does not work here: " + problem(),
							"Use AUTO or NIO, or add netty-transport-native-epoll for this platform in the version of Netty.");
				}
				yield EPOLL;
			}
		};
	}

	private static boolean isEpollUsable() {
		try {
			if (!Epoll.isAvailable()) {
				return false;
			}
			String classes = version("netty-common");
			String natives = version("netty-transport-native-epoll");
			if (natives.isEmpty() || classes.equals(natives)) {
				return true;
			}
			logger.warn("Using NIO: the epoll library is of Netty {}, the classes are of Netty {}", natives, classes);
			return false;
		}
		catch (LinkageError ex) {
			return false;
		}
	}

	private static String problem() {
		try {
			Throwable cause = Epoll.unavailabilityCause();
			return (cause != null) ? String.valueOf(cause.getMessage()) : "library of Netty %s, classes of Netty %s"
				.formatted(version("netty-transport-native-epoll"), version("netty-common"));
		}
		catch (LinkageError ex) {
			return String.valueOf(ex);
		}
	}

	private static String version(String artifact) {
		Map<String, Version> versions = Version.identify();
		return versions.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().startsWith(artifact))
			.map((entry) -> entry.getValue().artifactVersion())
			.findFirst()
			.orElse("");
	}

	IoHandlerFactory ioHandlerFactory() {
		return (this == EPOLL) ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
	}

	Class<? extends SocketChannel> socketChannel() {
		return (this == EPOLL) ? EpollSocketChannel.class : NioSocketChannel.class;
	}

	Class<? extends ServerChannel> serverChannel() {
		return (this == EPOLL) ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
	}

}
