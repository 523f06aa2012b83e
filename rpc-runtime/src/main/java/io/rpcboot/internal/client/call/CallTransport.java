package io.rpcboot.internal.client.call;

import io.rpcboot.Endpoint;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.serialization.MethodCodec;
import org.jspecify.annotations.Nullable;

/** Transport of calls: a connection, as its calls see it. */
public interface CallTransport {

	/** Enqueues a call; false if the connection is closed. Any thread. */
	boolean send(ClientCall call);

	/** Decides whether a call is written now. Event loop only. */
	WriteDecision admit(ClientCall call, boolean writable);

	/** Called when a one-way call was written or never will be. Event loop only. */
	void oneWayWritten();

	/** Runs a task on the event loop; false if that has ended. Any thread. */
	boolean execute(Runnable task);

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

	/** True if replies may need a translation, which can take long the first time. */
	boolean isTranslating();

	/** Returns the reader of a method's replies. Any thread except event loops. */
	MethodCodec codecOf(BoundMethod method);

	/**
	 * Returns the largest attachments of a reply in bytes, as HELLO has told the server.
	 */
	int maxAttachments();

	/** Returns address and port of the server for metrics. Any thread. */
	String peer();

	/** Returns the address of the server. Any thread. */
	Endpoint endpoint();

	static @Nullable Endpoint endpoint(@Nullable CallTransport transport) {
		return (transport != null) ? transport.endpoint() : null;
	}

}
