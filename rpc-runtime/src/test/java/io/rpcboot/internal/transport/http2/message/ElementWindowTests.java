package io.rpcboot.internal.transport.http2.message;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Window of a stream, with peers and subscribers of several speeds. */
class ElementWindowTests {

	private static final int ELEMENT = 4096;

	private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	private final MemoryBudget budget = new MemoryBudget(64_000_000, 0);

	private final InboundMemory memory = new InboundMemory(this.budget, (number) -> {
	}, () -> 0);

	private long now;

	/** Stream whose peer sends as long as its window allows. */
	private final class Exchange {

		private final ElementWindow window = new ElementWindow(ElementWindowTests.this.memory,
				() -> ElementWindowTests.this.now);

		/** Bytes that the peer may send. */
		private int left = ElementWindow.SMALLEST;

		/** Times at which bytes arrive that are sent. */
		private final ArrayDeque<Long> travelling = new ArrayDeque<>();

		private int waiting;

		private long delivered;

		private boolean hasWaited;

		/** Most elements that have waited at the same time. */
		private int most;

		/**
		 * Passes a millisecond.
		 * @param roundTrip in milliseconds
		 * @param takes elements that the subscriber takes
		 * @param sends elements that the peer sends at most
		 */
		void pass(int roundTrip, int takes, int sends) {
			for (int i = 0; i < sends && this.left >= ELEMENT; i++) {
				this.left -= ELEMENT;
				this.travelling.add(ElementWindowTests.this.now + roundTrip * MILLI);
			}
			while (!this.travelling.isEmpty() && this.travelling.peek() <= ElementWindowTests.this.now) {
				this.travelling.remove();
				this.window.add(ELEMENT);
				this.waiting++;
			}
			this.most = Math.max(this.most, this.waiting);
			for (int i = 0; i < takes; i++) {
				if (this.waiting == 0) {
					this.hasWaited = this.delivered > 0;
					break;
				}
				this.waiting--;
				this.delivered++;
				this.window.consumed(ELEMENT, this.hasWaited, this.left);
				this.hasWaited = false;
			}
			int missing = this.window.size() - this.window.unconsumed() - this.travelling.size() * ELEMENT;
			if (this.left < missing / 2) {
				this.left = missing;
			}
		}

	}

	private void run(Exchange stream, int millis, int roundTrip, int takes, int sends) {
		for (int i = 0; i < millis; i++) {
			this.now += MILLI;
			stream.pass(roundTrip, takes, sends);
		}
	}

	private Exchange wide() {
		Exchange stream = new Exchange();
		run(stream, 1000, 1, 100, 1000);
		assertThat(stream.window.size()).isEqualTo(ElementWindow.LARGEST);
		return stream;
	}

	@Test
	void fastSubscriber_getsWidestWindow() {
		wide();
	}

	@Test
	void longRoundTrip_isFilled() {
		Exchange stream = new Exchange();
		run(stream, 5000, 100, 1000, 1000);
		long before = stream.delivered;
		run(stream, 1000, 100, 1000, 1000);
		assertThat(stream.window.size()).isEqualTo(ElementWindow.LARGEST);
		assertThat((stream.delivered - before) * ELEMENT).isGreaterThan(8 * ElementWindow.SMALLEST * 1000 / 110);
	}

	/** The network is not what it waits for: a wider window would only hold more. */
	@Test
	void slowSubscriber_keepsSmallestWindow() {
		Exchange stream = new Exchange();
		run(stream, 5000, 1, 1, 1000);
		assertThat(stream.window.size()).isEqualTo(ElementWindow.SMALLEST);
		assertThat(stream.most * ELEMENT).isLessThanOrEqualTo(ElementWindow.SMALLEST);
	}

	@Test
	void slowPublisher_keepsSmallestWindow() {
		Exchange stream = new Exchange();
		for (int i = 0; i < 1000; i++) {
			run(stream, 19, 1, 100, 0);
			run(stream, 1, 1, 100, 1);
		}
		assertThat(stream.delivered).isGreaterThan(900);
		assertThat(stream.window.size()).isEqualTo(ElementWindow.SMALLEST);
	}

	@Test
	void subscriberThatFreezes_holdsOneWindow() {
		Exchange stream = wide();
		run(stream, 10_000, 1, 0, 1000);
		assertThat(stream.window.unconsumed()).isLessThanOrEqualTo(ElementWindow.LARGEST);
	}

	@Test
	void subscriberThatBecomesSlow_getsSmallestWindowAgain() {
		Exchange stream = wide();
		for (int i = 0; i < 3000; i++) {
			run(stream, 19, 1, 0, 1000);
			run(stream, 1, 1, 1, 1000);
		}
		assertThat(stream.window.size()).isEqualTo(ElementWindow.SMALLEST);
		assertThat(wide().window.size()).as("after it").isEqualTo(ElementWindow.LARGEST);
	}

	@Test
	void shortMemory_widensNothing() {
		assertThat(this.budget.tryReserveAtOnce(Direction.INCOMING, 45_000_000)).isTrue();
		Exchange stream = new Exchange();
		run(stream, 1000, 1, 100, 1000);
		assertThat(stream.window.size()).isEqualTo(ElementWindow.SMALLEST);
		this.budget.release(Direction.INCOMING, 45_000_000);
		run(stream, 1000, 1, 100, 1000);
		assertThat(stream.window.size()).isEqualTo(ElementWindow.LARGEST);
	}

	@Test
	void shortMemory_narrowsAtOnce() {
		Exchange stream = wide();
		assertThat(this.budget.tryReserveAtOnce(Direction.INCOMING, 45_000_000)).isTrue();
		assertThat(stream.window.size()).isEqualTo(ElementWindow.SMALLEST);
		run(stream, 100, 1, 100, 1000);
		this.budget.release(Direction.INCOMING, 45_000_000);
		assertThat(stream.window.size()).as("has to earn it again").isEqualTo(ElementWindow.SMALLEST);
	}

	/** The peer may still send what it was allowed to. */
	@Test
	void shareOfWindowThatPeerHasNotUsed_isKept() {
		Exchange first = wide();
		wide();
		assertThat(this.budget.tryReserveAtOnce(Direction.INCOMING, 45_000_000)).isTrue();
		first.window.consumed(ElementWindow.LARGEST, true, ElementWindow.LARGEST);
		this.budget.release(Direction.INCOMING, 45_000_000);
		assertThat(this.memory.widens(ElementWindow.LARGEST)).isFalse();
	}

	@Test
	void connection_widensTwoStreams_andOthersOnceTheyHaveEnded() {
		List<Exchange> streams = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			Exchange stream = new Exchange();
			run(stream, 200, 1, 100, 1000);
			streams.add(stream);
		}
		assertThat(streams.stream().mapToInt((each) -> each.window.size() - ElementWindow.SMALLEST).sum())
			.isGreaterThan(ElementWindow.LARGEST)
			.isLessThanOrEqualTo(2 * ElementWindow.LARGEST);
		streams.forEach((each) -> each.window.close());
		streams.forEach((each) -> each.window.close());
		wide();
		wide();
		Exchange third = new Exchange();
		run(third, 1000, 1, 100, 1000);
		assertThat(third.window.size()).as("share that is given back once").isLessThan(ElementWindow.LARGEST);
	}

	@Test
	void streamThatHasEnded_doesNotWiden() {
		Exchange stream = wide();
		stream.window.close();
		run(stream, 1000, 1, 100, 1000);
		assertThat(stream.window.size()).isEqualTo(ElementWindow.SMALLEST);
	}

}
