package io.rpcboot.engine.stream;

import java.util.Iterator;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.rpcboot.engine.stream.Feeds.Tick;
import reactor.core.publisher.Flux;

/** Breaks the rules. */
class OddStreamsImpl implements OddStreams {

	/** Streams that were cancelled. */
	final AtomicInteger cancelled = new AtomicInteger();

	/** Streams that were closed. */
	final AtomicInteger closed = new AtomicInteger();

	/** Returns a publisher that acts once, when it is asked for the first time. */
	private Flow.Publisher<Tick> once(BiConsumer<Flow.Subscriber<? super Tick>, Long> act) {
		return (subscriber) -> subscriber.onSubscribe(new Flow.Subscription() {

			private boolean isAsked;

			@Override
			public void request(long count) {
				if (!this.isAsked) {
					this.isAsked = true;
					act.accept(subscriber, count);
				}
			}

			@Override
			public void cancel() {
				OddStreamsImpl.this.cancelled.incrementAndGet();
			}

		});
	}

	@Override
	public Flow.Publisher<Tick> greedy(int count) {
		return once((subscriber, asked) -> {
			IntStream.range(0, count).mapToObj(Tick::of).forEach(subscriber::onNext);
			subscriber.onComplete();
		});
	}

	@Override
	public Flow.Publisher<Tick> beyondEnd() {
		return once((subscriber, asked) -> {
			subscriber.onNext(Tick.of(0));
			subscriber.onComplete();
			subscriber.onNext(Tick.of(1));
			subscriber.onError(new IllegalStateException("late"));
			subscriber.onComplete();
		});
	}

	@Override
	public Flow.Publisher<Tick> unsubscribable() {
		return (subscriber) -> {
			throw new IllegalStateException("no subscribers here");
		};
	}

	@Override
	public Flow.Publisher<Tick> unaskable() {
		return once((subscriber, asked) -> {
			throw new IllegalStateException("no elements here");
		});
	}

	@Override
	public Iterator<Tick> failing(int count) {
		return failingIterator(count);
	}

	static Iterator<Tick> failingIterator(int count) {
		return new Iterator<>() {

			private int next;

			@Override
			public boolean hasNext() {
				if (this.next == count) {
					throw new IllegalStateException("the cursor is gone");
				}
				return true;
			}

			@Override
			public Tick next() {
				return Tick.of(this.next++);
			}

		};
	}

	@Override
	public Flux<byte[]> large(int length) {
		return Flux.just(new byte[10], new byte[length]).doOnCancel(this.cancelled::incrementAndGet);
	}

	@Override
	public Flux<Tick> ticks(int count) {
		return Flux.range(0, count).map(Tick::of).doOnCancel(this.cancelled::incrementAndGet);
	}

	@Override
	public Stream<Tick> stream(int count) {
		return IntStream.range(0, count).mapToObj(Tick::of).onClose(this.closed::incrementAndGet);
	}

	@Override
	public String twoSubscribers(Flux<Tick> ticks) {
		AtomicReference<Throwable> second = new AtomicReference<>();
		int sum = ticks.doOnSubscribe((each) -> ticks.subscribe((tick) -> {
			throw new AssertionError("an element for the second");
		}, second::set)).map(Tick::number).reduce(0, Integer::sum).block();
		return sum + ": " + second.get().getMessage();
	}

	@Override
	public long sum(Iterator<Tick> ticks) {
		long sum = 0;
		while (ticks.hasNext()) {
			sum += ticks.next().number();
		}
		return sum;
	}

}
