package io.rpcboot.internal.client.call;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.serialization.MethodCodec;

/** What carries calls to a server: a connection, as its calls know it. */
public interface CallTransport {

	/** Enqueue a call. Any thread. False if the connection has ended. */
	boolean send(ClientCall call);

	/** Right before a call is written. Event loop. */
	WriteDecision admit(ClientCall call, boolean writable);

	/** A one-way call was written, or never will be. Event loop. */
	void oneWayWritten();

	/** Run a task where the calls are written. Any thread. False if that has ended. */
	boolean execute(Runnable task);

	/** A call that was sent is over, its reply no longer wanted. Any thread. */
	void cancelRemote(ClientCall call);

	/** A call will not be sent: those that wait behind it may go. Any thread. */
	void onAbandoned(ClientCall call);

	/** A future's reply was read; it leaves if it is completed here. Event loop. */
	void onReply(BoundMethod method, RpcStatus status, long startNanos, boolean leaves, int length);

	/** A reply needs no room any more, in bytes. Any thread. */
	void consumed(long bytes);

	/** Whether replies may have to be translated, for which a table may be read first. */
	boolean isTranslating();

	/** Reads the replies of a method. Any thread but an event loop. */
	MethodCodec codecOf(BoundMethod method);

	/** Address and port of the server, as metrics name it. Any thread. */
	String peer();

	/** Where the server listens. */
	Endpoint endpoint();

}
