package io.rpcboot.internal.transport.connection;

import io.netty.channel.ChannelInboundHandler;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * Handler of the bytes that a connection receives. The protocol of the connection creates
 * it; at the end of the channel it ends the write queue. Event loop only.
 */
public interface InboundHandler extends ChannelInboundHandler {

	/** Returns the protocol, null while it is unknown. */
	@Nullable Protocol protocol();

	/**
	 * Returns the number of reads. Any thread may get an older number.
	 * @return changes with each read of the socket
	 */
	int reads();

	/**
	 * Returns true while a large body is incomplete.
	 * @return false between bodies, and for a handler that reads none
	 */
	default boolean isInBody() {
		return false;
	}

	/**
	 * Returns the begin of the incomplete body.
	 * @return as {@link System#nanoTime()}, 0 if there is none
	 */
	default long bodyBeganNanos() {
		return 0;
	}

	/**
	 * Returns the bytes of the incomplete body that have arrived.
	 * @return 0 if there is none
	 */
	default int bodyBytes() {
		return 0;
	}

}
