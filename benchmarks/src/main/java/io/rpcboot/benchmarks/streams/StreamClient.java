package io.rpcboot.benchmarks.streams;

import java.util.concurrent.CompletableFuture;

/**
 * A connected client of one system. Thread-safe.
 */
interface StreamClient extends AutoCloseable {

	/**
	 * Opens one stream.
	 * @param direction who sends
	 * @param bytes size of an element
	 * @param count number of elements
	 * @return bytes of the elements that arrived, once the stream has ended; of
	 * {@link Direction#BOTH} those that came back
	 */
	CompletableFuture<Long> open(Direction direction, int bytes, int count);

	/** Closes it and ends its threads. */
	@Override
	void close();

}
