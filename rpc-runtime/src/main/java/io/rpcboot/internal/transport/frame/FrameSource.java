package io.rpcboot.internal.transport.frame;

import org.jspecify.annotations.Nullable;

/** Supplies frames that belong to no connection until a connection can write them. */
@FunctionalInterface
public interface FrameSource {

	/**
	 * Takes the next frame. Event loop only.
	 * @return null if there is none, or if this connection can write none now
	 */
	@Nullable OutboundFrame next();

}
