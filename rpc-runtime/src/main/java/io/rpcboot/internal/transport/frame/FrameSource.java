package io.rpcboot.internal.transport.frame;

import org.jspecify.annotations.Nullable;

/**
 * Frames that belong to no connection yet: a connection takes one when it can write it.
 */
@FunctionalInterface
public interface FrameSource {

	/**
	 * Take the next frame. Event loop only.
	 * @return null if none waits, or if this connection can write none now
	 */
	@Nullable OutboundFrame next();

}
