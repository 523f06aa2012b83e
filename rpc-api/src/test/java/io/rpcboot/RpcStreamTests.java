package io.rpcboot;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

class RpcStreamTests {

	private final RpcStream<Integer> stream = RpcStream.create();

	private final Probe probe = new Probe();

	/** Subscriber that asks by hand. */
	private static final class Probe implements Flow.Subscriber<Integer>, RpcStream.DrainListener {

		final List<Object> signals = new ArrayList<>();

		Flow.@Nullable Subscription subscription;

		@Override
		public void onSubscribe(Flow.Subscription given) {
			this.subscription = given;
		}

		void request(long count) {
			if (this.subscription != null) {
				this.subscription.request(count);
			}
		}

		@Override
		public void onNext(Integer value) {
			this.signals.add(value);
		}

		@Override
		public void onError(Throwable failure) {
			this.signals.add(failure);
		}

		@Override
		public void onComplete() {
			this.signals.add("complete");
		}

		@Override
		public void onDrain() {
			this.signals.add("drain");
		}

	}

	@Test
	void value_isSent_onDemandAlone() {
		assertThatIllegalStateException().isThrownBy(() -> this.stream.send(0)).withMessageContaining("without demand");
		this.stream.subscribe(this.probe);
		assertThat(this.stream.isReady()).isFalse();
		assertThatIllegalStateException().isThrownBy(() -> this.stream.send(0)).withMessageContaining("without demand");
		this.probe.request(2);
		this.stream.send(1);
		assertThat(this.stream.isReady()).isTrue();
		this.stream.send(2);
		assertThat(this.stream.isReady()).isFalse();
		assertThatIllegalStateException().isThrownBy(() -> this.stream.send(3));
		assertThat(this.probe.signals).containsExactly(1, 2);
	}

	@Test
	void handler_runsAgain_eachTimeThatStreamBecomesReady() {
		AtomicInteger next = new AtomicInteger();
		AtomicInteger runs = new AtomicInteger();
		this.stream.onReady(() -> {
			runs.incrementAndGet();
			while (this.stream.isReady()) {
				this.stream.send(next.getAndIncrement());
			}
		});
		assertThat(runs).hasValue(0);
		this.stream.subscribe(this.probe);
		this.probe.request(3);
		assertThat(this.probe.signals).containsExactly(0, 1, 2);
		this.probe.request(2);
		assertThat(this.probe.signals).hasSize(5);
		assertThat(runs).hasValue(2);
	}

	@Test
	void handler_runsAtOnce_whenStreamIsReady() {
		this.stream.subscribe(this.probe);
		this.probe.request(1);
		this.stream.onReady(() -> this.stream.send(7));
		assertThat(this.probe.signals).containsExactly(7);
	}

	/** A subscriber that asks within onNext, as senders of streams do. */
	@Test
	void handler_isNotEntered_whileItRuns() {
		AtomicInteger depth = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		List<Integer> taken = new ArrayList<>();
		this.stream.onReady(() -> {
			most.accumulateAndGet(depth.incrementAndGet(), Math::max);
			while (this.stream.isReady() && taken.size() < 1000) {
				this.stream.send(taken.size());
			}
			depth.decrementAndGet();
		});
		this.stream.subscribe(new Flow.Subscriber<>() {

			private Flow.@Nullable Subscription subscription;

			@Override
			public void onSubscribe(Flow.Subscription given) {
				this.subscription = given;
				given.request(1);
			}

			@Override
			public void onNext(Integer value) {
				taken.add(value);
				this.subscription.request(1);
			}

			@Override
			public void onError(Throwable failure) {
				throw new AssertionError(failure);
			}

			@Override
			public void onComplete() {
				throw new AssertionError("no end");
			}

		});
		assertThat(taken).hasSize(1000).isSorted();
		assertThat(most).hasValue(1);
	}

	@Test
	void end_isSignalledOnce_alsoBeforeSubscriber() {
		this.stream.complete();
		this.stream.fail(new IllegalStateException("late"));
		this.stream.subscribe(this.probe);
		assertThat(this.probe.signals).containsExactly("complete");
		assertThatIllegalStateException().isThrownBy(() -> this.stream.send(1)).withMessageContaining("behind the end");
	}

	@Test
	void exceptionOfHandler_failsStream() {
		IllegalStateException broken = new IllegalStateException("broken");
		this.stream.onReady(() -> {
			throw broken;
		});
		this.stream.subscribe(this.probe);
		this.probe.request(1);
		assertThat(this.probe.signals).containsExactly(broken);
		assertThat(this.stream.isReady()).isFalse();
	}

	@Test
	void cancelOfReceiver_endsDemand_andRunsHandlerOnce() {
		AtomicInteger cancelled = new AtomicInteger();
		this.stream.onCancel(cancelled::incrementAndGet);
		this.stream.subscribe(this.probe);
		this.probe.request(10);
		this.probe.subscription.cancel();
		this.probe.subscription.cancel();
		assertThat(this.stream.isReady()).isFalse();
		this.stream.send(1); // the sender could not know
		this.stream.complete();
		assertThat(this.probe.signals).isEmpty();
		assertThat(cancelled).hasValue(1);
		this.stream.onCancel(cancelled::incrementAndGet);
		assertThat(cancelled).as("late handler").hasValue(2);
	}

	@Test
	void cancelOfSender_failsReceiver_andRunsHandler() {
		AtomicInteger cancelled = new AtomicInteger();
		this.stream.onCancel(cancelled::incrementAndGet);
		this.stream.cancel();
		this.stream.subscribe(this.probe);
		assertThat(this.probe.signals).singleElement().isInstanceOf(CancellationException.class);
		assertThat(cancelled).hasValue(1);
	}

	@Test
	void wrongDemand_failsStream() {
		this.stream.subscribe(this.probe);
		this.probe.request(0);
		assertThat(this.probe.signals).singleElement().isInstanceOf(IllegalArgumentException.class);
	}

	@Test
	void demand_mayBeUnlimited() {
		this.stream.subscribe(this.probe);
		this.probe.request(Long.MAX_VALUE);
		this.probe.request(Long.MAX_VALUE);
		this.stream.send(1);
		assertThat(this.stream.isReady()).isTrue();
	}

	@Test
	void forEach_takesAll_andCompletes() {
		List<Integer> taken = new ArrayList<>();
		CompletableFuture<@Nullable Void> end = RpcStream.from(this.stream).forEach(taken::add);
		this.stream.send(1);
		this.stream.send(2);
		assertThat(end).isNotDone();
		this.stream.complete();
		assertThat(end).isCompleted();
		assertThat(taken).containsExactly(1, 2);
	}

	@Test
	void forEach_endsWithFailure_ofSenderOrAction() {
		IllegalStateException broken = new IllegalStateException("broken");
		CompletableFuture<@Nullable Void> end = RpcStream.from(this.stream).forEach((each) -> {
		});
		this.stream.fail(broken);
		assertThat(end).isCompletedExceptionally();
		RpcStream<Integer> other = RpcStream.create();
		AtomicInteger cancelled = new AtomicInteger();
		other.onCancel(cancelled::incrementAndGet);
		CompletableFuture<@Nullable Void> thrown = RpcStream.from(other).forEach((each) -> {
			throw broken;
		});
		other.send(1);
		assertThat(thrown).isCompletedExceptionally();
		assertThat(cancelled).hasValue(1);
	}

	@Test
	void receiver_cancels_byStreamOrByFuture() {
		AtomicInteger cancelled = new AtomicInteger();
		this.stream.onCancel(cancelled::incrementAndGet);
		RpcStream<Integer> received = RpcStream.from(this.stream);
		CompletableFuture<@Nullable Void> end = received.forEach((each) -> {
		});
		received.cancel();
		assertThat(end).isCancelled();
		assertThat(cancelled).hasValue(1);
		RpcStream<Integer> other = RpcStream.create();
		other.onCancel(cancelled::incrementAndGet);
		RpcStream.from(other).forEach((each) -> {
		}).cancel(false);
		assertThat(cancelled).hasValue(2);
	}

	@Test
	void cancelBeforeSubscriber_cancelsItsSubscription() {
		AtomicInteger cancelled = new AtomicInteger();
		this.stream.onCancel(cancelled::incrementAndGet);
		RpcStream<Integer> received = RpcStream.from(this.stream);
		received.cancel();
		assertThat(received.forEach((each) -> {
		})).isCancelled();
		assertThat(cancelled).hasValue(1);
	}

	@Test
	void drain_reachesSender_bySubscription() {
		AtomicInteger drained = new AtomicInteger();
		this.stream.onDrain(drained::incrementAndGet);
		this.stream.subscribe(this.probe);
		((RpcStream.DrainListener) this.probe.subscription).onDrain();
		((RpcStream.DrainListener) this.probe.subscription).onDrain();
		assertThat(drained).hasValue(1);
		this.stream.onDrain(drained::incrementAndGet);
		assertThat(drained).as("late handler").hasValue(2);
	}

	@Test
	void drain_reachesReceiver_andItsSubscriber() {
		List<Flow.Subscriber<? super Integer>> subscribers = new ArrayList<>();
		RpcStream<Integer> received = RpcStream.from(subscribers::add);
		AtomicInteger drained = new AtomicInteger();
		received.onDrain(drained::incrementAndGet);
		received.subscribe(this.probe);
		((RpcStream.DrainListener) subscribers.get(0)).onDrain();
		assertThat(drained).hasValue(1);
		assertThat(this.probe.signals).containsExactly("drain");
	}

	@Test
	void stream_isUsedOnce_byItsSide() {
		RpcStream<Integer> received = RpcStream.from(this.stream);
		assertThatIllegalStateException().isThrownBy(() -> received.send(1)).withMessageContaining("create()");
		assertThatIllegalStateException().isThrownBy(received::isReady);
		assertThatIllegalStateException().isThrownBy(received::complete);
		received.subscribe(this.probe);
		assertThatIllegalStateException().isThrownBy(() -> received.subscribe(this.probe))
			.withMessageContaining("second receiver");
		this.probe.request(1);
		assertThatNullPointerException().isThrownBy(() -> this.stream.send(null));
	}

}
