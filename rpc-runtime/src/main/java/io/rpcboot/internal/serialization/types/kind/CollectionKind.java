package io.rpcboot.internal.serialization.types.kind;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
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

import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Carried type of collection. {@code Iterable} is carried as {@code Collection}. A
 * declared interface arrives as a class that keeps the order of the writer, and holds
 * null if the interface allows it.
 *
 * @param type declared type
 * @param factory creates an empty instance, to be filled
 * @param reversed creates an instance in reverse of the natural order; null if the type
 * is not sorted
 * @param finisher converts the filled instance into the result; null if they are the same
 * @param holdsNull true if an element can be null
 */
public record CollectionKind(Class<?> type, Supplier<Collection<@Nullable Object>> factory,
		@Nullable Supplier<Collection<@Nullable Object>> reversed,
		@Nullable UnaryOperator<Collection<@Nullable Object>> finisher, boolean holdsNull) {

	/** Remaining capacity from which a queue counts as unbounded. */
	private static final int UNBOUNDED = 1 << 30;

	private static final int QUEUE_CAPACITY = 11;

	private static final Map<Class<?>, CollectionKind> ALL = all();

	/** Returns the kind of a type; null if it is not carried. */
	public static @Nullable CollectionKind of(ResolvedType type) {
		if (type.raw() == EnumSet.class && Containers.isOfEnum(type)) {
			Class<?> constants = type.arguments().get(0).raw();
			return new CollectionKind(EnumSet.class, () -> enumSet(constants), null, null, false);
		}
		return ALL.get(type.raw());
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private static Collection<@Nullable Object> enumSet(Class<?> constants) {
		return EnumSet.noneOf((Class) constants);
	}

	private static Map<Class<?>, CollectionKind> all() {
		Map<Class<?>, CollectionKind> all = new HashMap<>();
		all.put(Iterable.class, new CollectionKind(Collection.class, ArrayList::new, null, null, true));
		add(all, true, ArrayList::new, Collection.class, List.class, ArrayList.class,
				Containers.find("java.util.SequencedCollection"));
		add(all, true, LinkedHashSet::new, Set.class, LinkedHashSet.class, Containers.find("java.util.SequencedSet"));
		add(all, true, LinkedList::new, Queue.class, Deque.class, LinkedList.class);
		add(all, true, HashSet::new, HashSet.class);
		add(all, true, Vector::new, Vector.class);
		add(all, true, Stack::new, Stack.class);
		add(all, false, ArrayDeque::new, ArrayDeque.class);
		add(all, false, ConcurrentLinkedQueue::new, ConcurrentLinkedQueue.class);
		add(all, false, ConcurrentLinkedDeque::new, ConcurrentLinkedDeque.class);
		add(all, false, LinkedBlockingQueue::new, BlockingQueue.class, LinkedBlockingQueue.class);
		add(all, false, LinkedBlockingDeque::new, BlockingDeque.class, LinkedBlockingDeque.class);
		add(all, false, LinkedTransferQueue::new, TransferQueue.class, LinkedTransferQueue.class);
		addSorted(all, TreeSet::new, () -> new TreeSet<>(Collections.reverseOrder()), SortedSet.class,
				NavigableSet.class, TreeSet.class);
		addSorted(all, ConcurrentSkipListSet::new, () -> new ConcurrentSkipListSet<>(Collections.reverseOrder()),
				ConcurrentSkipListSet.class);
		addSorted(all, PriorityQueue::new, () -> new PriorityQueue<>(Collections.reverseOrder()), PriorityQueue.class);
		addSorted(all, PriorityBlockingQueue::new,
				() -> new PriorityBlockingQueue<>(QUEUE_CAPACITY, Collections.reverseOrder()),
				PriorityBlockingQueue.class);
		addCopied(all, CopyOnWriteArrayList.class, ArrayList::new, CopyOnWriteArrayList::new);
		addCopied(all, CopyOnWriteArraySet.class, LinkedHashSet::new, CopyOnWriteArraySet::new);
		return Map.copyOf(all);
	}

	/** Adds types, of which one that is newer than Java 17 may be null. */
	private static void add(Map<Class<?>, CollectionKind> all, boolean holdsNull,
			Supplier<Collection<@Nullable Object>> factory, @Nullable Class<?>... types) {
		for (Class<?> each : types) {
			if (each != null) {
				all.put(each, new CollectionKind(each, factory, null, null, holdsNull));
			}
		}
	}

	private static void addSorted(Map<Class<?>, CollectionKind> all, Supplier<Collection<@Nullable Object>> natural,
			Supplier<Collection<@Nullable Object>> reversed, Class<?>... types) {
		for (Class<?> each : types) {
			all.put(each, new CollectionKind(each, natural, reversed, null, false));
		}
	}

	/**
	 * Adds a type that copies itself for each added element, so that another type is
	 * filled first.
	 */
	private static void addCopied(Map<Class<?>, CollectionKind> all, Class<?> type,
			Supplier<Collection<@Nullable Object>> filled, UnaryOperator<Collection<@Nullable Object>> copied) {
		all.put(type, new CollectionKind(type, filled, null, copied, true));
	}

	/**
	 * Returns true if a value is written in its own order: {@link #prepare} returns the
	 * value itself and {@link #isReversed} false.
	 */
	public boolean isPlain() {
		return this.reversed == null && !Queue.class.isAssignableFrom(this.type);
	}

	/**
	 * Returns true if no two elements are equal, as in a set. {@link #prepare} may refuse
	 * a set.
	 */
	public boolean isDistinct() {
		return Set.class.isAssignableFrom(this.type);
	}

	/**
	 * Returns true if a value is in the reverse of the natural order, which a writer
	 * announces before the elements. Refuses all other orders except the natural one.
	 */
	public boolean isReversed(Object value) {
		return this.reversed != null && Containers.isReversed(value);
	}

	/**
	 * Returns the order of a value, which a writer announces. Refuses a value that
	 * nothing can arrive as.
	 */
	public Order order(Collection<?> value) {
		Order found = isDistinct() ? LetterCase.of(value) : null;
		if (found != null && isAnnounced(found)) {
			return found;
		}
		return isReversed(value) ? Order.REVERSED : Order.PLAIN;
	}

	private boolean isAnnounced(Order order) {
		return (order == Order.LOWER_CASE) ? this.type == Set.class
				: this.type.isAssignableFrom(TreeSet.class) || this.type.isAssignableFrom(ConcurrentSkipListSet.class);
	}

	/** Creates an instance of any order. Refuses one that the type cannot have. */
	@SuppressWarnings({ "unchecked", "rawtypes" })
	public Collection<@Nullable Object> create(Order order) {
		if (!order.ignoresCase()) {
			return create(order == Order.REVERSED);
		}
		if (!isDistinct() || !isAnnounced(order)) {
			throw Containers.otherLookUps(this.type);
		}
		if (order == Order.LOWER_CASE) {
			return Collections.newSetFromMap((Map) new CaseInsensitiveMap());
		}
		return this.type.isAssignableFrom(TreeSet.class) ? new TreeSet(String.CASE_INSENSITIVE_ORDER)
				: new ConcurrentSkipListSet(String.CASE_INSENSITIVE_ORDER);
	}

	/**
	 * Returns the elements to write. Refuses a value that cannot be sent. If the declared
	 * type is an interface of queues, a priority queue arrives as a plain queue, so its
	 * elements are written in the order of polling.
	 */
	public Collection<?> prepare(Collection<?> value) {
		if (this.type == LinkedBlockingQueue.class || this.type == LinkedBlockingDeque.class) {
			requireUnbounded((BlockingQueue<?>) value);
		}
		if (isDistinct()) {
			Containers.requireEquals(value);
			if (this.reversed == null) {
				Containers.requireScales(value);
			}
		}
		boolean isQueue = this.type.isInterface() && Queue.class.isAssignableFrom(this.type);
		return isQueue && (value instanceof PriorityQueue || value instanceof PriorityBlockingQueue) ? polled(value)
				: value;
	}

	private static void requireUnbounded(BlockingQueue<?> queue) {
		if (queue.remainingCapacity() < UNBOUNDED) {
			throw new PathException("a queue of capacity %d (expected: no capacity, because it cannot be sent)"
				.formatted(queue.size() + queue.remainingCapacity()));
		}
	}

	@SuppressWarnings("unchecked")
	private static Collection<?> polled(Collection<?> queue) {
		Object[] elements = queue.toArray();
		Arrays.sort(elements, (Comparator<Object>) Containers.comparator(queue));
		return Arrays.asList(elements);
	}

	/** Refuses a null element if the type cannot hold null. */
	public void requireHoldsNull() {
		if (!this.holdsNull) {
			throw new PathException(
					"null, or a constant that this side does not know (expected: a value, because %s holds no null)"
						.formatted(this.type.getName()));
		}
	}

	/**
	 * Returns true if the filled instance is always the result: {@link #finish} does
	 * nothing.
	 */
	public boolean isKept() {
		return this.finisher == null && !isDistinct();
	}

	/**
	 * Creates an instance. A type that is not sorted ignores {@code reversed}, because it
	 * keeps any order.
	 */
	public Collection<@Nullable Object> create(boolean reversed) {
		return (reversed && this.reversed != null) ? this.reversed.get() : this.factory.get();
	}

	/**
	 * Converts a filled instance into the result.
	 * @param elements number of elements that were added
	 */
	public Collection<@Nullable Object> finish(Collection<@Nullable Object> filled, int elements) {
		if (isDistinct() && filled.size() != elements) {
			throw new PathException(
					"%d elements of which some are equal (expected: %d different ones)".formatted(elements, elements));
		}
		return (this.finisher != null) ? this.finisher.apply(filled) : filled;
	}

}
