package io.rpcboot.internal.serialization.types.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;

import io.rpcboot.internal.serialization.types.kind.CollectionKind;
import io.rpcboot.internal.serialization.types.kind.HolderKind;
import io.rpcboot.internal.serialization.types.kind.MapKind;
import io.rpcboot.internal.serialization.types.kind.Order;
import io.rpcboot.internal.serialization.types.value.ExactTypes;
import io.rpcboot.internal.serialization.types.value.KeyHashes;
import io.rpcboot.internal.serialization.types.value.Numbers;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import io.rpcboot.internal.serialization.types.value.ScalarSurrogate;
import io.rpcboot.internal.serialization.types.value.Sizes;
import io.rpcboot.serialization.Delegate;
import io.rpcboot.serialization.GeneratedMessage;
import io.rpcboot.serialization.PathException;
import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.TypeRef;
import org.jspecify.annotations.Nullable;

/**
 * Type of a service, a node in the graph from which every format is built. Each type has
 * one node, so a format finds its type of a node by identity. {@code Linker} creates
 * nodes for a peer with another contract: the same own types, with the members, names and
 * numbers of the writer. Immutable once linked.
 */
public sealed interface Node permits Node.ValueNode, Node.ArrayNode, Node.CollectionNode, Node.MapNode, Node.HolderNode,
		Node.DelegateNode, StructNode, EnumNode, ChoiceNode, Node.SkipNode {

	/** Returns the own type in the contract, also for a node that reads a peer. */
	TypeRef ref();

	/** Returns the declared class or interface of this side. */
	Class<?> javaType();

	/** Returns the own definition in the contract; null for a type that needs none. */
	default @Nullable ContractType definition() {
		return null;
	}

	/**
	 * Returns the node for a final field whose container is filled from the one that
	 * arrives. Both are charged to the read budget.
	 */
	default Node copied() {
		return this;
	}

	/**
	 * Value that needs no other type: a primitive, its box, or a class of the JDK.
	 *
	 * @param javaType class of this side
	 * @param ref type in the contract
	 * @param written type of the writer, which may be another number
	 */
	record ValueNode(Class<?> javaType, TypeRef ref, TypeRef written) implements Node {

		/**
		 * Returns true if the writer may have null where this side declares a primitive.
		 * A field is zero then; an argument or an element is refused.
		 */
		public boolean isUnboxed() {
			return this.javaType.isPrimitive() && this.written.name().equals(Numbers.box(this.written).getName());
		}

		public static ValueNode of(Class<?> type) {
			TypeRef ref = TypeRef.parse(type.getTypeName());
			return new ValueNode(type, ref, ref);
		}

	}

	/**
	 * Array, or an {@link AtomicReferenceArray}.
	 *
	 * @param component class of the elements
	 * @param element type of the elements
	 * @param isAtomic true for an {@link AtomicReferenceArray}
	 */
	record ArrayNode(Class<?> component, Node element, boolean isAtomic) implements Node {

		/** Creates the node of an array of a primitive. */
		public static ArrayNode of(Class<?> component) {
			return new ArrayNode(component, ValueNode.of(component), false);
		}

		@Override
		public TypeRef ref() {
			return this.isAtomic ? TypeRef.of(AtomicReferenceArray.class.getName(), this.element.ref())
					: TypeRef.arrayOf(this.element.ref());
		}

		@Override
		public Class<?> javaType() {
			return this.isAtomic ? AtomicReferenceArray.class : this.component.arrayType();
		}

		/**
		 * Returns the elements of an instance as an array, itself or a copy. A generic
		 * class may have created the array of a type variable as {@code Object[]}.
		 * Refuses an array whose component type is a subclass of the declared one.
		 */
		public Object elements(Object value) {
			Class<?> components = value.getClass().getComponentType();
			if (!this.isAtomic && components != null && components.isAssignableFrom(this.component)) {
				return value;
			}
			AtomicReferenceArray<?> references = (AtomicReferenceArray<?>) ExactTypes.require(value, javaType());
			@Nullable Object[] copy = new @Nullable Object[references.length()];
			Arrays.setAll(copy, references::get);
			return copy;
		}

		/**
		 * Returns the instance of some elements: the array itself, or an atomic array
		 * with a copy.
		 */
		public Object of(@Nullable Object[] elements) {
			return this.isAtomic ? new AtomicReferenceArray<>(elements) : elements;
		}

	}

	/**
	 * Collection.
	 *
	 * @param kind kind of the collection
	 * @param element type of the elements
	 * @param isChecked true if a peer could choose elements with equal hash codes
	 * @param sizes heap size of an instance, without its elements
	 */
	record CollectionNode(CollectionKind kind, Node element, boolean isChecked, Sizes sizes) implements Node {

		public static CollectionNode of(CollectionKind kind, Node element) {
			boolean isChecked = KeyHashes.areChecked(kind.type(), orderOf(element));
			return new CollectionNode(kind, element, isChecked, Sizes.of(kind.type(), isChecked));
		}

		@Override
		public Node copied() {
			return new CollectionNode(this.kind, this.element, this.isChecked, this.sizes.copied());
		}

		/** Begins an instance that is read. */
		public Collection<@Nullable Object> begin(ReadBudget budget, Order order) {
			if (this.isChecked) {
				budget.beginHashed();
			}
			return (this.isChecked && !order.ignoresCase()) ? new ArrayList<>() : this.kind.create(order);
		}

		/**
		 * Finishes an instance that is read. Refuses equal elements in a set, and too
		 * many elements with equal hash codes.
		 * @param count number of elements that were read
		 * @param start size of the budget before the first element was read
		 */
		public Object finish(Collection<@Nullable Object> filled, int count, ReadBudget budget, long start) {
			if (!this.isChecked) {
				return this.kind.finish(filled, count);
			}
			budget.endHashed();
			if (!(filled instanceof ArrayList)) {
				return this.kind.finish(filled, count); // of texts alone
			}
			KeyHashes.compare(budget, budget.size() - start, filled, javaType());
			Collection<@Nullable Object> set = this.kind.create(false);
			set.addAll(filled);
			return this.kind.finish(set, count);
		}

		@Override
		public TypeRef ref() {
			return TypeRef.of(javaType().getName(), this.element.ref());
		}

		@Override
		public Class<?> javaType() {
			return this.kind.type();
		}

	}

	/**
	 * Map.
	 *
	 * @param kind kind of the map
	 * @param key type of the keys
	 * @param value type of the values
	 * @param isChecked true if a peer could choose keys with equal hash codes
	 * @param sizes heap size of an instance, without keys and values
	 */
	record MapNode(MapKind kind, Node key, Node value, boolean isChecked, Sizes sizes) implements Node {

		public static MapNode of(MapKind kind, Node key, Node value) {
			boolean isChecked = KeyHashes.areChecked(kind.type(), orderOf(key));
			return new MapNode(kind, key, value, isChecked, Sizes.of(kind.type(), isChecked));
		}

		@Override
		public Node copied() {
			return new MapNode(this.kind, this.key, this.value, this.isChecked, this.sizes.copied());
		}

		/**
		 * Begins an instance that is read, to be filled by {@link #put} only.
		 */
		public Map<@Nullable Object, @Nullable Object> begin(ReadBudget budget, Order order) {
			budget.charge(this.sizes.empty());
			return (this.isChecked && !order.ignoresCase()) ? new KeyHashes() : this.kind.create(order);
		}

		/** Begins a key. {@link #endKey} ends it, unless the message fails. */
		public void beginKey(ReadBudget budget) {
			if (this.isChecked) {
				budget.beginHashed();
			}
		}

		public void endKey(ReadBudget budget) {
			if (this.isChecked) {
				budget.endHashed();
			}
		}

		/**
		 * Adds an entry behind {@code count} others. Refuses null if the map cannot hold
		 * it.
		 */
		public void put(Map<@Nullable Object, @Nullable Object> filled, int count, @Nullable Object key,
				@Nullable Object value, ReadBudget budget) {
			budget.charge(this.sizes.next(count));
			if (key == null || value == null) {
				this.kind.requireHolds(key, value);
			}
			filled.put(key, value);
		}

		/**
		 * Finishes an instance that is read. Refuses too many keys with equal hash codes.
		 * Of equal keys, the last one counts.
		 * @param start size of the budget before the instance was begun
		 */
		public Map<@Nullable Object, @Nullable Object> finish(Map<@Nullable Object, @Nullable Object> filled,
				ReadBudget budget, long start) {
			Map<@Nullable Object, @Nullable Object> map = filled;
			if (filled instanceof KeyHashes gathered) {
				KeyHashes.compare(budget, budget.size() - start, gathered.keys(), javaType());
				map = this.kind.create(false);
				gathered.putInto(map);
			}
			return map;
		}

		/**
		 * Finishes an instance like the method above, and refuses equal keys.
		 * @param count number of entries that were read
		 */
		public Object finish(Map<@Nullable Object, @Nullable Object> filled, int count, ReadBudget budget, long start) {
			Map<@Nullable Object, @Nullable Object> map = finish(filled, budget, start);
			if (count != map.size() && this.kind.keepsEntries()) {
				throw new PathException("%d entries of which some have the same key (expected: %d different keys)"
					.formatted(count, count));
			}
			return map;
		}

		@Override
		public TypeRef ref() {
			return TypeRef.of(javaType().getName(), this.key.ref(), this.value.ref());
		}

		@Override
		public Class<?> javaType() {
			return this.kind.type();
		}

	}

	/**
	 * Returns the class whose order a hash table can use; {@code Object} if there is
	 * none.
	 */
	private static Class<?> orderOf(Node key) {
		return (key instanceof ValueNode || key instanceof EnumNode) ? key.javaType() : Object.class;
	}

	/** Holder of one value or none, such as {@code Optional}. */
	record HolderNode(HolderKind kind, Node held) implements Node {

		@Override
		public TypeRef ref() {
			return this.kind.isGeneric() ? TypeRef.of(javaType().getName(), this.held.ref())
					: TypeRef.of(javaType().getName());
		}

		@Override
		public Class<?> javaType() {
			return this.kind.javaType();
		}

	}

	/**
	 * Type that a {@link Delegate} carries as another type.
	 *
	 * @param message message of the delegate, null if the type is not generated
	 */
	record DelegateNode(Delegate<?, ?> delegate, Node surrogate, @Nullable GeneratedMessage message) implements Node {

		@Override
		public TypeRef ref() {
			String name = (this.message != null) ? this.message.name() : javaType().getName();
			return TypeRef.of("delegate", TypeRef.of(name), this.surrogate.ref());
		}

		@Override
		public Class<?> javaType() {
			return this.delegate.type();
		}

		/**
		 * Returns the conversion between values and surrogates. A null of the delegate is
		 * refused.
		 */
		@SuppressWarnings("unchecked")
		public ScalarSurrogate conversion() {
			Delegate<Object, Object> own = (Delegate<Object, Object>) this.delegate;
			return new ScalarSurrogate(javaType(), own.surrogate(), (value) -> convert(own.writer(), value),
					(value, budget) -> convert(own.reader(), value));
		}

		private Object convert(Function<Object, Object> conversion, Object value) {
			Object converted = conversion.apply(value);
			if (converted == null) {
				throw new PathException("null from the delegate of %s for a %s (expected: a value)"
					.formatted(javaType().getTypeName(), value.getClass().getTypeName()));
			}
			return converted;
		}

	}

	/**
	 * One of the types of a choice.
	 *
	 * @param written entry of the writer, with its number
	 * @param kind class or interface whose instances the option carries; {@code void} if
	 * only the writer has it
	 * @param javaType class that arrives
	 * @param type type of the value; null if only the writer has the option
	 */
	record Option(ContractMember written, Class<?> kind, Class<?> javaType, @Nullable Node type) {

		/** Creates an own option. */
		public static Option of(int number, Class<?> kind, Class<?> javaType, Node type) {
			return new Option(new ContractMember(number, ContractMember.NONE, type.ref()), kind, javaType, type);
		}

	}

	/** Value that only the writer has, of any type. It is skipped. */
	enum SkipNode implements Node {

		/** The only instance, because the type does not matter. */
		INSTANCE;

		@Override
		public TypeRef ref() {
			return TypeRef.VOID;
		}

		@Override
		public Class<?> javaType() {
			return Void.class;
		}

	}

}
