package io.rpcboot.internal.client.call;

import io.netty.buffer.ByteBuf;
import io.rpcboot.Endpoint;
import io.rpcboot.internal.transport.frame.WriteDecision;
import org.jspecify.annotations.Nullable;

/** Transport of calls: a connection, as its calls see it. */
public interface CallTransport {

	/** Enqueues a call; false if the connection is closed. Any thread. */
	boolean send(ClientCall call);

	/**
	 * Decides whether a call is written now. Event loop only.
	 * @return SKIP also if the transport sends the request in frames of its own, as a
	 * protocol with streams does
	 */
	WriteDecision admit(ClientCall call, boolean writable);

	/**
	 * Returns the length of all that precedes the body of a call, in bytes. Event loop
	 * only, after {@link #admit} returned WRITE.
	 */
	int headerLength(ClientCall call);

	/**
	 * Writes all that precedes the body of a call. Event loop only, after {@link #admit}
	 * returned WRITE.
	 */
	void writeHeader(ClientCall call, ByteBuf out);

	/**
	 * Called when a one-way call was written or never will be. Event loop only.
	 * @return true if the server answers the call
	 */
	boolean oneWayWritten(ClientCall call, boolean written);

	/** Cancels a call that was sent and has ended here. Any thread. */
	void cancelRemote(ClientCall call);

	/** Lets the calls behind an enqueued call go on that will not be sent. Any thread. */
	void onAbandoned(ClientCall call);

	/** Records a call whose reply was read and completes a future. Event loop only. */
	void record(ClientCall call);

	/**
	 * Returns the permit and the reply bytes of a call that was completed in the read of
	 * its reply, together with the others of this read. Event loop only.
	 */
	void countOutAfterRead(int length);

	/** Returns reply bytes that no longer need memory. Any thread. */
	void consumed(long bytes);

	/** Returns address and port of the server for metrics. Any thread. */
	String peer();

	/** Returns the address of the server. Any thread. */
	Endpoint endpoint();

	static @Nullable Endpoint endpoint(@Nullable CallTransport transport) {
		return (transport != null) ? transport.endpoint() : null;
	}

}
