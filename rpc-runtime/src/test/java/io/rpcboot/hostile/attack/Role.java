package io.rpcboot.hostile.attack;

import java.nio.ByteBuffer;

/**
 * What one hostile connection does. All methods are called by the thread of its swarm.
 */
public interface Role {

	/** The connection is established. */
	void begin(HostileConnection connection);

	/** All that was to be sent is with the system. */
	default void drained() {
	}

	/** Some time has passed. */
	default void look(long nowNanos) {
	}

	/**
	 * A frame has arrived.
	 * @param value of the first eight bytes of the body, 0 if it is shorter
	 */
	default void received(int type, int code, long callId, int length, long value) {
	}

	/** Bytes have arrived that are no native frames. */
	default void arrived(ByteBuffer bytes) {
	}

	/** True if the victim answers by native frames; others are not decoded. */
	default boolean isNative() {
		return true;
	}

	/** Of the socket, in bytes; 0 for the system's own. */
	default int receiveBuffer() {
		return 0;
	}

}
