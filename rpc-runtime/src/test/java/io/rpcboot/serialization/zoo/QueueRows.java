package io.rpcboot.serialization.zoo;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.function.Function;
import java.util.stream.Stream;

import static io.rpcboot.serialization.zoo.CollectionRows.IN_ORDER;
import static io.rpcboot.serialization.zoo.ZooRow.rowBy;

/**
 * Queues: most have no {@code equals}.
 */
final class QueueRows {

	private static final Function<PriorityQueue<?>, Object> PRIORITY = (queue) -> List
		.of(ZooRow.order(queue.comparator()), new ArrayList<>(queue));

	private static final Function<PriorityBlockingQueue<?>, Object> BLOCKING_PRIORITY = (queue) -> List
		.of(ZooRow.order(queue.comparator()), new ArrayList<>(queue));

	private QueueRows() {
	}

	static Stream<ZooRow> rows() {
		return Stream.of(
				rowBy(IN_ORDER, "Queue<String>", new LinkedList<>(Arrays.asList("a", null)), new ArrayDeque<>(),
						new ConcurrentLinkedQueue<>(List.of("b", "a"))),
				rowBy(IN_ORDER, "Deque<String>", new ArrayDeque<>(List.of("b", "a")), new LinkedList<>()),
				rowBy(IN_ORDER, "ArrayDeque<Integer>", new ArrayDeque<>(List.of(2, 1)), new ArrayDeque<>()),
				rowBy(PRIORITY, "PriorityQueue<Integer>", new PriorityQueue<>(List.of(3, 1, 2)), new PriorityQueue<>(),
						fill(new PriorityQueue<>(Collections.reverseOrder()), 3, 1, 2),
						new PriorityQueue<>(Collections.reverseOrder())),
				rowBy(BLOCKING_PRIORITY, "PriorityBlockingQueue<Integer>",
						new PriorityBlockingQueue<>(List.of(3, 1, 2)),
						fill(new PriorityBlockingQueue<>(1, Collections.reverseOrder()), 3, 1, 2)),
				rowBy(IN_ORDER, "BlockingQueue<Integer>", fill(new ArrayBlockingQueue<>(5), 2, 1),
						new LinkedBlockingQueue<>()),
				rowBy(IN_ORDER, "BlockingDeque<Integer>", new LinkedBlockingDeque<>(List.of(2, 1))),
				rowBy(IN_ORDER, "TransferQueue<Integer>", new LinkedTransferQueue<>(List.of(2, 1))),
				rowBy(IN_ORDER, "LinkedBlockingQueue<Integer>", new LinkedBlockingQueue<>(List.of(2, 1))),
				rowBy(IN_ORDER, "LinkedBlockingDeque<Integer>", new LinkedBlockingDeque<>(List.of(2, 1))),
				rowBy(IN_ORDER, "LinkedTransferQueue<Integer>", new LinkedTransferQueue<>(List.of(2, 1))),
				rowBy(IN_ORDER, "ConcurrentLinkedQueue<Integer>", new ConcurrentLinkedQueue<>(List.of(2, 1))),
				rowBy(IN_ORDER, "ConcurrentLinkedDeque<Integer>", new ConcurrentLinkedDeque<>(List.of(2, 1))));
	}

	private static <C extends Collection<Integer>> C fill(C collection, Integer... elements) {
		collection.addAll(Arrays.asList(elements));
		return collection;
	}

}
