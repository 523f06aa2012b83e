package io.rpcboot.internal.server.call;

import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * One call in the protocol of its connection: decodes the attachments of the request,
 * encodes and sends the response. A response that is too long for an array is written to
 * the stream by the serializer. Used by the thread that runs or answers the call, until
 * the response goes to the write queue; then by the event loop.
 * <p>
 * Exactly one of {@link #send}, {@link #fail} and {@link #end} is called for a call. Each
 * calls {@link ServerCall#responding()}, then {@link ServerCall#responseDropped},
 * {@link ServerCall#responseWritten} or {@link ServerCall#responseRejected} once.
 */
public interface ServerStream extends OutputBuffer.Overflow {

	/** Returns the number of the call on its connection, from 1 on. */
	long id();

	/** Returns true if the call was decided about before it began. */
	default boolean isDecided() {
		return false;
	}

	/**
	 * Reads the attachments of the request and gives them to the call.
	 * @param source holds them, and the arguments
	 * @return false if the call was rejected, because they are invalid
	 */
	boolean readAttachments(byte[] source);

	/**
	 * Begins a response with attachments, before anything else is written.
	 * @param attachments optional ones may be left out
	 * @param max bytes that they may take
	 * @param out receives them if they precede the body
	 * @throws SerializationException if the required ones take more
	 */
	void attach(Attachments attachments, int max, OutputBuffer out);

	/**
	 * Sends a serialized result or declared exception.
	 * @param outcome OK or DECLARED
	 * @param out holds the response, or its end if the begin was written to this stream
	 */
	void send(RpcStatus outcome, OutputBuffer out);

	/**
	 * Sends an error.
	 * @param error the error
	 * @param attachments optional ones may be left out; null for none
	 */
	void fail(ErrorResponse error, @Nullable Attachments attachments);

	/** Ends the call without a response. */
	void end();

	/**
	 * Returns the length of the body of the response.
	 * @return in bytes, 0 without a body
	 */
	int length();

	/**
	 * Returns the cause why a long response is incomplete.
	 * @return null if there was memory
	 */
	@Nullable MemoryShortageException memoryShortage();

	/** Forgets a long response, whose memory the call has released. */
	void reset();

}
