package io.rpcboot.internal.concurrent;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.internal.concurrent.AdaptiveLifoQueue.Node;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AdaptiveLifoQueueTests {

	private static final long BUDGET = 3000;

	private final AdaptiveLifoQueue<String> queue = new AdaptiveLifoQueue<>();

	private String next(long now) {
		Node<String> node = this.queue.next(now);
		return (node != null) ? node.element() : "none";
	}

	private List<String> drain(long now) {
		List<String> order = new ArrayList<>();
		for (Node<String> node = this.queue.next(now); node != null; node = this.queue.next(now)) {
			order.add(node.element());
			this.queue.remove(node);
		}
		return order;
	}

	@Test
	void order_isFifo_whileOldestHasWaitedForHalfOfItsBudget() {
		this.queue.add("a", 0, BUDGET);
		this.queue.add("b", 500, BUDGET);
		this.queue.add("c", 1000, BUDGET);
		assertThat(drain(1500)).containsExactly("a", "b", "c");
		assertThat(this.queue.size()).isZero();
		assertThat(next(1500)).isEqualTo("none");
	}

	@Test
	void order_isLifo_whenOldestHasWaitedLonger() {
		this.queue.add("a", 0, BUDGET);
		this.queue.add("b", 0, BUDGET);
		this.queue.add("c", 0, BUDGET);
		assertThat(drain(1501)).containsExactly("c", "b", "a");
	}

	@Test
	void order_isLifo_whenNewestCouldNotWaitAsLong() {
		this.queue.add("patient", 0, BUDGET);
		this.queue.add("urgent", 0, 100);
		assertThat(next(50)).isEqualTo("patient");
		assertThat(next(51)).isEqualTo("urgent");
	}

	@Test
	void order_isFifo_withoutDeadlines() {
		this.queue.add("a", 0, Long.MAX_VALUE);
		this.queue.add("b", 0, Long.MAX_VALUE);
		assertThat(next(Long.MAX_VALUE / 4)).isEqualTo("a");
	}

	@Test
	void addOldest_isFirst() {
		this.queue.add("a", 0, BUDGET);
		Node<String> returned = this.queue.addOldest("b", 0, BUDGET);
		assertThat(this.queue.oldest()).isSameAs(returned);
		assertThat(drain(0)).containsExactly("b", "a");
	}

	@Test
	void remove_keepsOthersLinked_whereverItIs() {
		for (int removed = 0; removed < 3; removed++) {
			List<Node<String>> nodes = List.of(this.queue.add("0", 0, BUDGET), this.queue.add("1", 0, BUDGET),
					this.queue.add("2", 0, BUDGET));
			Node<String> node = nodes.get(removed);
			assertThat(node.isQueued()).isTrue();
			this.queue.remove(node);
			assertThat(node.isQueued()).isFalse();
			assertThat(this.queue.size()).isEqualTo(2);
			assertThat(drain(0)).doesNotContain(node.element()).hasSize(2).isSorted();
			assertThat(this.queue.oldest()).isNull();
			assertThat(this.queue.newest()).isNull();
		}
	}

	@Test
	void removeIf_stopsAtFirstThatStays_unlessAllAreWanted() {
		List<String> removed = new ArrayList<>();
		List.of("x1", "x2", "y", "x3", "x4").forEach((each) -> this.queue.add(each, 0, BUDGET));
		this.queue.removeIf((each) -> each.startsWith("x"), false, 10, removed);
		assertThat(removed).containsExactly("x1", "x2");
		this.queue.removeIf((each) -> each.startsWith("x"), true, 3, removed);
		assertThat(removed).as("up to the maximum").containsExactly("x1", "x2", "x3");
		assertThat(drain(0)).containsExactly("y", "x4");
	}

}
