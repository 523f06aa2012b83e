package io.rpcboot.internal.server.call;

import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Takes the response of one call: what a call needs of the protocol of its connection.
 * Used by the thread that runs or answers the call.
 * <p>
 * Exactly one of {@link #reply}, {@link #end} and {@link #drop} succeeds for a call. It
 * calls {@link ServerCall#responding()} once. Then the event loop calls
 * {@link ServerCall#responseBlocked()} if the response has to wait, asks
 * {@link ServerCall#isUnwanted()}, and calls {@link ServerCall#responseEnded} once.
 */
public interface ResponseSink {

	/**
	 * Begins a response with attachments, before anything else is written.
	 * @param attachments optional ones may be left out
	 * @param max bytes that they may take
	 * @param out receives them if they precede the body
	 * @throws SerializationException if the required ones take more
	 */
	void attach(Attachments attachments, int max, OutputBuffer out);

	/**
	 * Sends a serialized result or declared exception. A response that cannot be written
	 * at once is kept by {@link ServerCall#keep}.
	 * @param outcome OK or DECLARED
	 * @param out holds the response, or its end if the begin has overflowed; may be
	 * reused afterwards
	 */
	void reply(RpcStatus outcome, OutputBuffer out);

	/**
	 * Ends the call with an error.
	 * @param error the error
	 * @param attachments optional ones may be left out; null for none
	 */
	void end(ErrorResponse error, @Nullable Attachments attachments);

	/** Ends the call without a response. */
	void drop();

	/**
	 * Returns the length of the body of the response.
	 * @return in bytes, 0 without a body
	 */
	int length();

}
