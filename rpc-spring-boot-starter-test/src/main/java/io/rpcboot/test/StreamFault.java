package io.rpcboot.test;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.RpcStream;
import org.jspecify.annotations.Nullable;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;

/**
 * Fault of streams that methods return: they stall or fail behind a number of elements.
 * Bytes count by the reads that give some.
 *
 * @param elements elements before the fault
 * @param ends true if a stream fails, false if it stalls
 * @param over completes when the fault ends: streams that stall go on
 */
record StreamFault(long elements, boolean ends, CompletableFuture<@Nullable Void> over) {

	private static final String FLUX = "reactor.core.publisher.Flux";

	/** Returns a stream with the fault; another result as it is. */
	@Nullable Object in(Class<?> type, @Nullable Object result) {
		if (result instanceof RpcStream<?> stream) {
			return RpcStream.from(limited(stream));
		}
		if (result instanceof Flow.Publisher<?> publisher) {
			return limited(publisher);
		}
		if (result instanceof Stream<?> stream) {
			return limited(stream);
		}
		if (result instanceof Iterator<?> iterator) {
			return new Limited<>(this, iterator);
		}
		if (result instanceof InputStream bytes) {
			return new LimitedBytes(this, bytes);
		}
		return (result != null && type.getName().equals(FLUX)) ? OfReactor.limited(this, result) : result;
	}

	private <T> Flow.Publisher<T> limited(Flow.Publisher<T> source) {
		return (subscriber) -> source.subscribe(new LimitedSubscriber<>(this, subscriber));
	}

	private <T> Stream<T> limited(Stream<T> source) {
		Spliterator<T> values = Spliterators.spliteratorUnknownSize(new Limited<>(this, source.iterator()), 0);
		return StreamSupport.stream(values, false).onClose(source::close);
	}

	/** Waits or fails if the fault is due. */
	private void await(long given) {
		if (given < this.elements || this.over.isDone()) {
			return;
		}
		if (this.ends) {
			throw failure();
		}
		this.over.join();
	}

	private RpcException failure() {
		return new RpcException(RpcStatus.UNAVAILABLE,
				"the test ends the stream after %d elements".formatted(this.elements), true);
	}

	/** Adapters of an optional library. */
	private static final class OfReactor {

		static Object limited(StreamFault fault, Object flux) {
			return JdkFlowAdapter
				.flowPublisherToFlux(fault.limited(JdkFlowAdapter.publisherToFlowPublisher((Flux<?>) flux)));
		}

	}

	/** Values of an iterator, the fault before the first one that is too many. */
	private static final class Limited<T> implements Iterator<T> {

		private final StreamFault fault;

		private final Iterator<T> from;

		private long given;

		Limited(StreamFault fault, Iterator<T> from) {
			this.fault = fault;
			this.from = from;
		}

		@Override
		public boolean hasNext() {
			this.fault.await(this.given);
			return this.from.hasNext();
		}

		@Override
		public T next() {
			this.given++;
			return this.from.next();
		}

	}

	/** Bytes, the fault before the read that is too many. */
	private static final class LimitedBytes extends FilterInputStream {

		private final StreamFault fault;

		private long reads;

		LimitedBytes(StreamFault fault, InputStream from) {
			super(from);
			this.fault = fault;
		}

		@Override
		public int read() throws IOException {
			this.fault.await(this.reads++);
			return super.read();
		}

		@Override
		public int read(byte[] target, int offset, int length) throws IOException {
			this.fault.await(this.reads++);
			return super.read(target, offset, length);
		}

	}

	/**
	 * Passes the elements before the fault: no other is asked for. So a stream that has
	 * no more of them completes.
	 */
	private static final class LimitedSubscriber<T>
			implements Flow.Subscriber<T>, Flow.Subscription, RpcStream.DrainListener {

		private final StreamFault fault;

		private final Flow.Subscriber<? super T> to;

		private Flow.@Nullable Subscription from;

		/** Elements that may be asked for before the fault. */
		private long left;

		/** Elements that were asked for and wait for the end of the fault. */
		private long owed;

		/** Elements that have come. */
		private long given;

		/** True once the fault has ended, or the stream by it. */
		private boolean isOver;

		LimitedSubscriber(StreamFault fault, Flow.Subscriber<? super T> to) {
			this.fault = fault;
			this.to = to;
			this.left = fault.elements;
		}

		@Override
		public void onSubscribe(Flow.Subscription given) {
			this.from = given;
			this.to.onSubscribe(this);
			this.fault.over.thenRun(this::goOn);
		}

		@Override
		public void request(long count) {
			long passed;
			synchronized (this) {
				passed = this.isOver ? count : Math.min(count, this.left);
				this.left -= this.isOver ? 0 : passed;
				long more = this.owed + count - passed;
				this.owed = (more < 0) ? Long.MAX_VALUE : more;
			}
			if (passed > 0) {
				ask(passed);
			}
			failIfDue();
		}

		private void ask(long count) {
			Flow.Subscription known = this.from;
			if (known != null) {
				known.request(count);
			}
		}

		private void goOn() {
			long waiting;
			synchronized (this) {
				this.isOver = true;
				waiting = this.owed;
				this.owed = 0;
			}
			if (waiting > 0) {
				ask(waiting);
			}
		}

		@Override
		public void onNext(T element) {
			this.to.onNext(element);
			synchronized (this) {
				this.given++;
			}
			failIfDue();
		}

		private void failIfDue() {
			synchronized (this) {
				if (!this.fault.ends || this.isOver || this.given != this.fault.elements) {
					return;
				}
				this.isOver = true;
			}
			cancel();
			this.to.onError(this.fault.failure());
		}

		@Override
		public void onError(Throwable failure) {
			this.to.onError(failure);
		}

		@Override
		public void onComplete() {
			this.to.onComplete();
		}

		@Override
		public void cancel() {
			Flow.Subscription known = this.from;
			if (known != null) {
				known.cancel();
			}
		}

		@Override
		public void onDrain() {
			if (this.from instanceof RpcStream.DrainListener listener) {
				listener.onDrain();
			}
		}

	}

}
