package io.rpcboot.serialization.types;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.SortedSet;
import java.util.Stack;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TransferQueue;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * Which declared types of collection are carried, and what each arrives as. An interface
 * arrives as a class that holds null, if it may, and keeps the order of the writer.
 */
final class CollectionKinds {

	private static final int QUEUE_CAPACITY = 11;

	private static final Map<Class<?>, CollectionKind> ALL = all();

	private CollectionKinds() {
	}

	/** The kind of a type; null if it is none that is carried. */
	static @Nullable CollectionKind of(ResolvedType type) {
		if (type.raw() == EnumSet.class && Containers.isOfEnum(type)) {
			Class<?> constants = type.arguments().get(0).raw();
			return CollectionKind.withoutNull(EnumSet.class, () -> enumSet(constants));
		}
		return ALL.get(type.raw());
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private static Collection<@Nullable Object> enumSet(Class<?> constants) {
		return EnumSet.noneOf((Class) constants);
	}

	private static Map<Class<?>, CollectionKind> all() {
		Map<Class<?>, CollectionKind> all = new HashMap<>();
		add(all, ArrayList::new, Collection.class, List.class, ArrayList.class);
		add(all, LinkedHashSet::new, Set.class, LinkedHashSet.class);
		add(all, LinkedList::new, Queue.class, Deque.class, LinkedList.class);
		add(all, HashSet::new, HashSet.class);
		add(all, Vector::new, Vector.class);
		add(all, Stack::new, Stack.class);
		addIfPresent(all, "java.util.SequencedCollection", ArrayList::new);
		addIfPresent(all, "java.util.SequencedSet", LinkedHashSet::new);
		addWithoutNull(all, ArrayDeque::new, ArrayDeque.class);
		addWithoutNull(all, ConcurrentLinkedQueue::new, ConcurrentLinkedQueue.class);
		addWithoutNull(all, ConcurrentLinkedDeque::new, ConcurrentLinkedDeque.class);
		addWithoutNull(all, LinkedBlockingQueue::new, BlockingQueue.class, LinkedBlockingQueue.class);
		addWithoutNull(all, LinkedBlockingDeque::new, BlockingDeque.class, LinkedBlockingDeque.class);
		addWithoutNull(all, LinkedTransferQueue::new, TransferQueue.class, LinkedTransferQueue.class);
		for (Class<?> each : List.of(SortedSet.class, NavigableSet.class, TreeSet.class)) {
			addSorted(all, each, TreeSet::new, () -> new TreeSet<>(Collections.reverseOrder()));
		}
		addSorted(all, ConcurrentSkipListSet.class, ConcurrentSkipListSet::new,
				() -> new ConcurrentSkipListSet<>(Collections.reverseOrder()));
		addSorted(all, PriorityQueue.class, PriorityQueue::new, () -> new PriorityQueue<>(Collections.reverseOrder()));
		addSorted(all, PriorityBlockingQueue.class, PriorityBlockingQueue::new,
				() -> new PriorityBlockingQueue<>(QUEUE_CAPACITY, Collections.reverseOrder()));
		addCopied(all, CopyOnWriteArrayList.class, ArrayList::new, CopyOnWriteArrayList::new);
		addCopied(all, CopyOnWriteArraySet.class, LinkedHashSet::new, CollectionKinds::copyOnWriteSet);
		return Map.copyOf(all);
	}

	private static Collection<@Nullable Object> copyOnWriteSet(Collection<@Nullable Object> elements) {
		KeyHashes.requireFew(elements.size(), CopyOnWriteArraySet.class);
		return new CopyOnWriteArraySet<>(elements);
	}

	private static void add(Map<Class<?>, CollectionKind> all, Supplier<Collection<@Nullable Object>> factory,
			Class<?>... types) {
		for (Class<?> each : types) {
			all.put(each, CollectionKind.of(each, factory));
		}
	}

	private static void addWithoutNull(Map<Class<?>, CollectionKind> all,
			Supplier<Collection<@Nullable Object>> factory, Class<?>... types) {
		for (Class<?> each : types) {
			all.put(each, CollectionKind.withoutNull(each, factory));
		}
	}

	private static void addSorted(Map<Class<?>, CollectionKind> all, Class<?> type,
			Supplier<Collection<@Nullable Object>> natural, Supplier<Collection<@Nullable Object>> reversed) {
		all.put(type, new CollectionKind(type, natural, reversed, null, false));
	}

	/** Filled one by one, each would be copied as often as it has elements. */
	private static void addCopied(Map<Class<?>, CollectionKind> all, Class<?> type,
			Supplier<Collection<@Nullable Object>> filled, UnaryOperator<Collection<@Nullable Object>> copied) {
		all.put(type, new CollectionKind(type, filled, null, copied, true));
	}

	private static void addIfPresent(Map<Class<?>, CollectionKind> all, String type,
			Supplier<Collection<@Nullable Object>> factory) {
		Class<?> present = Containers.find(type);
		if (present != null) {
			add(all, factory, present);
		}
	}

}
