package io.rpcboot.serialization.jackson;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.WeakHashMap;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TransferQueue;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Which kinds of collection and map are carried, by the names that contracts give them,
 * and what each arrives as.
 */
final class JsonContainers {

	private static final int QUEUE_CAPACITY = 11;

	private final Map<String, OfCollection> collections = new HashMap<>();

	private final Map<String, OfMap> maps = new HashMap<>();

	JsonContainers() {
		addLists();
		addSets();
		addQueues();
		addMaps();
	}

	@Nullable OfCollection collection(String name) {
		return this.collections.get(name);
	}

	@Nullable OfMap map(String name) {
		return this.maps.get(name);
	}

	private void addLists() {
		collection(ArrayList::new, Iterable.class, Collection.class, List.class, ArrayList.class);
		collection(LinkedList::new, LinkedList.class);
		collection(Vector::new, Vector.class);
		collection(Stack::new, Stack.class);
		collection(CopyOnWriteArrayList::new, CopyOnWriteArrayList.class);
	}

	private void addSets() {
		collection(LinkedHashSet::new, Set.class, LinkedHashSet.class);
		collection(HashSet::new, HashSet.class);
		collection(CopyOnWriteArraySet::new, CopyOnWriteArraySet.class);
		sorted(TreeSet::new, SortedSet.class, NavigableSet.class, TreeSet.class);
		sorted(ConcurrentSkipListSet::new, ConcurrentSkipListSet.class);
		add(new OfCollection(EnumSet.class, false, (element, order) -> enumSet(element)));
	}

	private void addQueues() {
		collection(ArrayDeque::new, ArrayDeque.class);
		collection(LinkedList::new, Queue.class, Deque.class);
		collection(ConcurrentLinkedQueue::new, ConcurrentLinkedQueue.class);
		collection(ConcurrentLinkedDeque::new, ConcurrentLinkedDeque.class);
		collection(LinkedBlockingQueue::new, BlockingQueue.class, LinkedBlockingQueue.class);
		collection(LinkedBlockingDeque::new, BlockingDeque.class, LinkedBlockingDeque.class);
		collection(LinkedTransferQueue::new, TransferQueue.class, LinkedTransferQueue.class);
		sorted((order) -> new PriorityQueue<>(QUEUE_CAPACITY, order), PriorityQueue.class);
		sorted((order) -> new PriorityBlockingQueue<>(QUEUE_CAPACITY, order), PriorityBlockingQueue.class);
	}

	private void addMaps() {
		map(LinkedHashMap::new, Map.class, LinkedHashMap.class);
		map(HashMap::new, HashMap.class);
		map(Hashtable::new, Hashtable.class);
		map(IdentityHashMap::new, IdentityHashMap.class);
		map(WeakHashMap::new, WeakHashMap.class);
		map(ConcurrentHashMap::new, ConcurrentMap.class, ConcurrentHashMap.class);
		sortedMap(TreeMap::new, SortedMap.class, NavigableMap.class, TreeMap.class);
		sortedMap(ConcurrentSkipListMap::new, ConcurrentNavigableMap.class, ConcurrentSkipListMap.class);
		add(new OfMap(EnumMap.class, false, (key, order) -> enumMap(key)));
	}

	private void collection(Supplier<Collection<@Nullable Object>> maker, Class<?>... types) {
		for (Class<?> each : types) {
			add(new OfCollection(each, false, (element, order) -> maker.get()));
		}
	}

	private void sorted(Function<@Nullable Comparator<@Nullable Object>, Collection<@Nullable Object>> maker,
			Class<?>... types) {
		for (Class<?> each : types) {
			add(new OfCollection(each, true, (element, order) -> maker.apply(order)));
		}
	}

	private void map(Supplier<Map<@Nullable Object, @Nullable Object>> maker, Class<?>... types) {
		for (Class<?> each : types) {
			add(new OfMap(each, false, (key, order) -> maker.get()));
		}
	}

	private void sortedMap(
			Function<@Nullable Comparator<@Nullable Object>, Map<@Nullable Object, @Nullable Object>> maker,
			Class<?>... types) {
		for (Class<?> each : types) {
			add(new OfMap(each, true, (key, order) -> maker.apply(order)));
		}
	}

	private void add(OfCollection kind) {
		this.collections.put(kind.type.getName(), kind);
	}

	private void add(OfMap kind) {
		this.maps.put(kind.type.getName(), kind);
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private static Collection<@Nullable Object> enumSet(Class<?> element) {
		return (Collection) EnumSet.noneOf((Class) element);
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private static Map<@Nullable Object, @Nullable Object> enumMap(Class<?> key) {
		return new EnumMap((Class) key);
	}

	/**
	 * Makes a container for a class of elements or keys, in an order, null for the
	 * natural one.
	 */
	private interface Maker<C> {

		C make(Class<?> element, @Nullable Comparator<@Nullable Object> order);

	}

	/**
	 * A kind of collection.
	 *
	 * @param type the declared class
	 * @param sorted whether it has an order of its own
	 * @param maker makes an empty one
	 */
	record OfCollection(Class<?> type, boolean sorted, Maker<Collection<@Nullable Object>> maker) {

		Collection<@Nullable Object> create(Class<?> element, boolean reversed) {
			return this.maker.make(element, JsonOrder.comparator(reversed));
		}

	}

	/**
	 * A kind of map.
	 *
	 * @param type the declared class
	 * @param sorted whether it has an order of its own
	 * @param maker makes an empty one
	 */
	record OfMap(Class<?> type, boolean sorted, Maker<Map<@Nullable Object, @Nullable Object>> maker) {

		Map<@Nullable Object, @Nullable Object> create(Class<?> key, boolean reversed) {
			return this.maker.make(key, JsonOrder.comparator(reversed));
		}

	}

}
