package io.rpcboot.engine.stream;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.stream.Stream;

import io.rpcboot.RpcMethod;
import io.rpcboot.context.RpcContext;
import io.rpcboot.engine.stream.Feeds.OutOfTicksException;
import io.rpcboot.engine.stream.Feeds.Tick;
import reactor.core.publisher.Flux;

/** Methods that take streams, and return one value or a stream. */
public interface Uploads {

	/** Sum of the numbers, waited for. */
	long sum(Flow.Publisher<Tick> ticks);

	CompletableFuture<Long> sumOfFlux(Flux<Tick> ticks);

	long sumOfStream(Stream<Tick> ticks);

	long sumOfIterator(Iterator<Tick> ticks);

	/** Parameters in front, the context behind. */
	CompletableFuture<String> labelled(String label, Mode mode, int factor, Flux<Integer> numbers, RpcContext context);

	/** Lists, of which an empty one is an element like others. */
	CompletableFuture<List<Integer>> sizes(String label, Flux<List<String>> lists);

	CompletableFuture<Long> bytes(Flux<byte[]> blobs);

	CompletableFuture<Void> discard(Flux<Tick> ticks);

	/** Takes some and answers. */
	CompletableFuture<Integer> firstOf(int count, Flux<Tick> ticks);

	long failsAfter(int count, Iterator<Tick> ticks) throws OutOfTicksException;

	/** Never answers, and takes everything. */
	CompletableFuture<Long> silent(Flux<Tick> ticks);

	/** Takes nothing, and never answers. */
	CompletableFuture<Long> deaf(Flux<byte[]> blobs);

	/** Each element comes back. */
	Flux<Tick> echo(Flux<Tick> ticks);

	/** The server speaks first. */
	Flux<String> chat(String name, Flux<String> lines);

	/** Elements come back by a thread that waits for each. */
	Stream<Tick> echoOfStream(Stream<Tick> ticks);

	/** The element is the message itself. */
	@RpcMethod(bare = true)
	Flux<Tick> bareEcho(Flux<Tick> ticks);

	/** Has a constant with the number 0, so that null has none. */
	enum Mode {

		PLAIN, LOUD

	}

}
