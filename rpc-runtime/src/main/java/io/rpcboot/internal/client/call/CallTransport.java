package io.rpcboot.internal.client.call;

import io.rpcboot.Endpoint;
import org.jspecify.annotations.Nullable;

/** Transport of calls: a connection, as its calls see it. */
public interface CallTransport {

	/** Enqueues a call; false if the connection is closed. Any thread. */
	boolean send(ClientCall call);

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
