package io.rpcboot.engine.stream;

import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import org.jspecify.annotations.Nullable;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;

/** Counts what it gives. */
public class FeedsImpl implements Feeds {

	/** Elements that were produced. */
	final AtomicLong produced = new AtomicLong();

	/** Streams that have a subscriber. */
	final AtomicInteger opened = new AtomicInteger();

	/** Streams that were cancelled. */
	final AtomicInteger cancelled = new AtomicInteger();

	/** Streams whose end was reached, in any way. */
	final AtomicInteger ended = new AtomicInteger();

	/** Names of the threads that have produced. */
	volatile String thread = "";

	@Override
	public Flow.Publisher<Tick> ticks(int count) {
		return JdkFlowAdapter.publisherToFlowPublisher(flux(count));
	}

	@Override
	public Flux<Tick> flux(int count) {
		return watched(Flux.range(0, count).map(Tick::of));
	}

	private <T> Flux<T> watched(Flux<T> all) {
		return all.doOnSubscribe((each) -> this.opened.incrementAndGet()).doOnNext((each) -> {
			this.produced.incrementAndGet();
			this.thread = Thread.currentThread().getName();
		}).doOnCancel(this.cancelled::incrementAndGet).doFinally((signal) -> this.ended.incrementAndGet());
	}

	@Override
	public Stream<Tick> stream(int count) {
		return IntStream.range(0, count)
			.mapToObj(Tick::of)
			.peek((each) -> this.produced.incrementAndGet())
			.onClose(this.ended::incrementAndGet);
	}

	@Override
	public Iterator<Tick> iterator(int count) {
		return stream(count).iterator();
	}

	@Override
	public Flux<byte[]> blobs(int count, int length) {
		return watched(Flux.range(0, count).map((each) -> new byte[length]));
	}

	@Override
	public @Nullable Flux<Tick> failing(int count, Failure how) throws OutOfTicksException {
		Flux<Tick> first = flux(count);
		return switch (how) {
			case DECLARED -> first.concatWith(Flux.error(new OutOfTicksException("no more", count)));
			case UNDECLARED -> first.concatWith(Flux.error(new IllegalStateException("broken")));
			case STATUS -> first.concatWith(Flux.error(new RpcException(RpcStatus.NOT_FOUND, "no such tick", true)));
			case NULL_ELEMENT -> first.concatWith(JdkFlowAdapter.flowPublisherToFlux(nullElement()));
			case NULL_STREAM -> null;
			case THROWN -> throw new OutOfTicksException("none", 0);
		};
	}

	@SuppressWarnings("NullAway")
	static Flow.Publisher<Tick> nullElement() {
		return (subscriber) -> subscriber.onSubscribe(new Flow.Subscription() {

			@Override
			public void request(long count) {
				subscriber.onNext(null);
			}

			@Override
			public void cancel() {
				// it has sent all
			}

		});
	}

	@Override
	public Flux<Tick> endless() {
		return watched(Flux.interval(Duration.ofMillis(1)).onBackpressureDrop().map(Tick::of));
	}

	@Override
	public Flux<Tick> silent() {
		return watched(Flux.never());
	}

	@Override
	public String echo(String text) {
		return text;
	}

}
