package io.rpcboot.transport;

import java.time.Duration;

import io.rpcboot.ServiceId;
import org.jspecify.annotations.Nullable;

/**
 * State of an open stream, for tools and dashboards. It is read while the stream works,
 * so its numbers may be some elements apart.
 *
 * @param number number of the stream at its client or server, from 1 on in the order in
 * which streams were opened
 * @param service the service
 * @param method name and parameter types of the method, such as {@code quotes(String)}
 * @param remote address and port of the peer
 * @param age time since the call began
 * @param sent elements that this side sends, null if it sends one message
 * @param received elements that this side receives, null if it receives one message
 * @since 0.1.0
 */
public record StreamInfo(long number, ServiceId service, String method, String remote, Duration age,
		@Nullable Elements sent, @Nullable Elements received) {

	/**
	 * Elements of one direction.
	 *
	 * @param count elements so far: sent ones have reached the event loop, received ones
	 * have arrived, and may wait
	 * @param bytes their length in serialized form
	 * @param waitsFor part that has to act before the next element passes
	 */
	public record Elements(long count, long bytes, WaitsFor waitsFor) {
	}

	/** Part that has to act before the next element passes. */
	public enum WaitsFor {

		/** Sent: the publisher on this side, which was asked and has no element. */
		PRODUCER,

		/**
		 * Sent: the window of the peer, which is used up because its subscriber takes too
		 * little.
		 */
		WINDOW,

		/** Sent: the socket, which is full because the network or the peer is slow. */
		SOCKET,

		/** Received: the peer, because all elements that have arrived were delivered. */
		PEER,

		/** Received: the subscriber on this side, because elements wait for it. */
		CONSUMER,

		/** Nothing: elements pass at this moment. */
		NOTHING,

		/** The end of the stream, because no element follows. */
		END

	}

}
