package io.rpcboot.engine.stream;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.rpcboot.context.RpcContext;
import io.rpcboot.engine.stream.Feeds.OutOfTicksException;
import io.rpcboot.engine.stream.Feeds.Tick;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;

/** Counts what it takes. */
public class UploadsImpl implements Uploads {

	/** Elements that were taken. */
	final AtomicLong taken = new AtomicLong();

	/** Streams that were subscribed to. */
	final AtomicInteger opened = new AtomicInteger();

	/** Streams that ended with an error. */
	final AtomicInteger failed = new AtomicInteger();

	/** Streams whose end was reached, in any way. */
	public final AtomicInteger ended = new AtomicInteger();

	/** Last failure of a stream. */
	volatile Throwable failure = new Throwable("none");

	/** Name of the last thread that took an element. */
	volatile String thread = "";

	private <T> Flux<T> watched(Flux<T> all) {
		return all.doOnSubscribe((each) -> this.opened.incrementAndGet()).doOnNext((each) -> {
			this.taken.incrementAndGet();
			this.thread = Thread.currentThread().getName();
		}).doOnError((ex) -> {
			this.failure = ex;
			this.failed.incrementAndGet();
		}).doFinally((signal) -> this.ended.incrementAndGet());
	}

	private CompletableFuture<Long> add(Flux<Tick> ticks) {
		return watched(ticks).reduce(0L, (sum, each) -> sum + each.number()).toFuture();
	}

	@Override
	public long sum(Flow.Publisher<Tick> ticks) {
		return add(JdkFlowAdapter.flowPublisherToFlux(ticks)).join();
	}

	@Override
	public CompletableFuture<Long> sumOfFlux(Flux<Tick> ticks) {
		return add(ticks);
	}

	@Override
	public long sumOfStream(Stream<Tick> ticks) {
		return ticks.peek((each) -> this.taken.incrementAndGet()).mapToLong(Tick::number).sum();
	}

	@Override
	public long sumOfIterator(Iterator<Tick> ticks) {
		long sum = 0;
		while (ticks.hasNext()) {
			sum += ticks.next().number();
			this.taken.incrementAndGet();
			this.thread = Thread.currentThread().getName();
		}
		return sum;
	}

	@Override
	public CompletableFuture<String> labelled(String label, Mode mode, int factor, Flux<Integer> numbers,
			RpcContext context) {
		return watched(numbers).reduce(0, Integer::sum)
			.map((sum) -> "%s %s %d %s".formatted(label, mode, sum * factor, context.attachments().get("tenant")))
			.toFuture();
	}

	@Override
	public CompletableFuture<List<Integer>> sizes(String label, Flux<List<String>> lists) {
		return watched(lists).map(List::size).collectList().toFuture();
	}

	@Override
	public CompletableFuture<Long> bytes(Flux<byte[]> blobs) {
		return watched(blobs).reduce(0L, (sum, each) -> sum + each.length).toFuture();
	}

	@Override
	public CompletableFuture<Void> discard(Flux<Tick> ticks) {
		return watched(ticks).then().toFuture();
	}

	@Override
	public CompletableFuture<Integer> firstOf(int count, Flux<Tick> ticks) {
		return watched(ticks).take(count).reduce(0, (sum, each) -> sum + each.number()).toFuture();
	}

	@Override
	public long failsAfter(int count, Iterator<Tick> ticks) throws OutOfTicksException {
		for (int i = 0; i < count; i++) {
			ticks.next();
		}
		throw new OutOfTicksException("enough", count);
	}

	@Override
	public CompletableFuture<Long> silent(Flux<Tick> ticks) {
		watched(ticks).subscribe((each) -> {
		}, (ex) -> {
		});
		return new CompletableFuture<>();
	}

	@Override
	public CompletableFuture<Long> deaf(Flux<byte[]> blobs) {
		this.opened.incrementAndGet();
		return new CompletableFuture<>();
	}

	@Override
	public Flux<Tick> echo(Flux<Tick> ticks) {
		return watched(ticks);
	}

	@Override
	public Flux<String> chat(String name, Flux<String> lines) {
		return Flux.just("welcome " + name).concatWith(watched(lines).map((each) -> name + ": " + each));
	}

	@Override
	public Stream<Tick> echoOfStream(Stream<Tick> ticks) {
		return ticks.peek((each) -> this.taken.incrementAndGet());
	}

	@Override
	public Flux<Tick> bareEcho(Flux<Tick> ticks) {
		return watched(ticks);
	}

}
