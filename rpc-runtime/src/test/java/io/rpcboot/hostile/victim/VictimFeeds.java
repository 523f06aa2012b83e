package io.rpcboot.hostile.victim;

import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/** A service with streams, which HTTP/2 alone carries. */
public interface VictimFeeds {

	/** Elements of a size without end. */
	Flow.Publisher<byte[]> feed(int size);

	/** Takes all elements; the result is their length. */
	CompletableFuture<Long> take(Flow.Publisher<byte[]> elements);

	/** Takes no element, and has no result. */
	CompletableFuture<Long> hold(Flow.Publisher<byte[]> elements);

	/** Waits for each element in a thread. */
	long await(Iterator<byte[]> elements);

	/** Gives each element back. */
	Flow.Publisher<byte[]> echo(Flow.Publisher<byte[]> elements);

}
