package io.rpcboot.internal.server.call;

import org.jspecify.annotations.Nullable;

/**
 * Takes a response of several messages, one after the other: the {@link ResponseSink} of
 * a method that returns a stream. {@link #complete} ends it after all of them;
 * {@link #end} and {@link #drop} end it as they end any response.
 */
public interface ElementSink extends ResponseSink {

	/** Source of the elements, as their sink sees it. Event loop only. */
	interface Source {

		/** The sink has written elements. */
		void onWritten();

	}

	/**
	 * Sends the elements of a stream that the method has returned. Thread of the method.
	 * @param stream a publisher, {@code Flux}, {@code Iterator} or {@code Stream}; or
	 * null, which ends the call with an error
	 */
	void stream(@Nullable Object stream);

	/**
	 * Sends an element. One thread at a time.
	 * @param element not changed afterwards
	 * @return false if there is no memory for it
	 */
	boolean next(byte[] element);

	/**
	 * Returns the bytes of elements that may be asked for: little while memory is short,
	 * 0 while enough elements wait for the client. Any thread.
	 */
	int room();

	/** Ends the response: its elements are all there are. */
	void complete();

}
