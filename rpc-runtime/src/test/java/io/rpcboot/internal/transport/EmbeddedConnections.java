package io.rpcboot.internal.transport;

import java.util.function.Function;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.embedded.EmbeddedChannel;

import io.rpcboot.transport.BatchingOptions;

/** Connections without a socket, whose event loop is the thread that uses them. */
public final class EmbeddedConnections {

	private EmbeddedConnections() {
	}

	/**
	 * Open a connection.
	 * @param maxBody largest body of a frame
	 * @param handlers makes what looks at the frames
	 * @return the channel, as a listener installs it
	 */
	public static EmbeddedChannel open(int maxBody, Function<Connection, FrameHandler> handlers) {
		return new EmbeddedChannel(new ChannelInitializer<>() {
			@Override
			protected void initChannel(Channel channel) {
				Connection.install(channel, "embedded", new FlushPolicy(BatchingOptions.defaults()), null, maxBody,
						handlers);
			}
		});
	}

}
