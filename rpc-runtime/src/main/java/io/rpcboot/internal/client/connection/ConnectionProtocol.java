package io.rpcboot.internal.client.connection;

import java.util.List;

import io.rpcboot.Endpoint;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.serialization.MethodCodec;
import org.jspecify.annotations.Nullable;

/**
 * What a connection of a client does beside its calls. Event loop only, but for what says
 * otherwise.
 */
public interface ConnectionProtocol {

	/** The connection is open. */
	void onOpen();

	/** A frame that answers no call arrived; the array is the receiver's. */
	void onFrame(int type, int flags, int code, long callId, byte[] body);

	/** Close because of what the server did. */
	void end(String reason);

	/** The connection is closed, and with it calls were lost that had been sent. */
	void onClosed(@Nullable Throwable cause, List<ClientCall> lost);

	/** Give numbers to a service's methods; calls may follow. Any thread, any time. */
	void bind(ServiceBinding binding);

	/** Ask the server for a sign of life. Any thread. */
	void probe();

	/**
	 * Reads the replies of a method, translated if its server has another contract. Any
	 * thread but an event loop.
	 */
	MethodCodec codecOf(BoundMethod method);

	/** Where the server listens. Any thread. */
	Endpoint endpoint();

}
