package io.rpcboot.engine.stream;

import java.util.Iterator;
import java.util.concurrent.Flow;
import java.util.stream.Stream;

import io.rpcboot.engine.stream.Feeds.Tick;
import reactor.core.publisher.Flux;

/** Methods whose streams do not keep to the rules, or whose callers do not. */
public interface OddStreams {

	/** Gives more than was asked for. */
	Flow.Publisher<Tick> greedy(int count);

	/** Goes on behind its end. */
	Flow.Publisher<Tick> beyondEnd();

	/** Fails when it is subscribed to. */
	Flow.Publisher<Tick> unsubscribable();

	/** Fails when it is asked for elements. */
	Flow.Publisher<Tick> unaskable();

	/** Fails in {@code hasNext} behind some elements. */
	Iterator<Tick> failing(int count);

	/** Elements that are too large for a frame. */
	Flux<byte[]> large(int length);

	Flux<Tick> ticks(int count);

	Stream<Tick> stream(int count);

	/**
	 * Tells what a second subscriber of its parameter gets, and the sum for the first.
	 */
	String twoSubscribers(Flux<Tick> ticks);

	long sum(Iterator<Tick> ticks);

}
