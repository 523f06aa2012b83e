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
import io.rpcboot.internal.serialization.types.value.ExactTypes;
import io.rpcboot.internal.serialization.types.value.KeyHashes;
import io.rpcboot.internal.serialization.types.value.Numbers;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import io.rpcboot.internal.serialization.types.value.ScalarSurrogate;
import io.rpcboot.internal.serialization.types.value.Sizes;
import io.rpcboot.serialization.Delegate;
import io.rpcboot.serialization.PathException;
import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.TypeRef;
import org.jspecify.annotations.Nullable;

/**
 * A type of a service in the graph that every format is built from. Each type has one
 * node, so a format keeps what it makes of a node by identity. {@code Linker} makes nodes
 * that describe what a peer with another contract writes: the same own types, with the
 * members, names and numbers of the writer. Immutable once linked.
 */
public sealed interface Node permits Node.ValueNode, Node.ArrayNode, Node.CollectionNode, Node.MapNode, Node.HolderNode,
		Node.DelegateNode, StructNode, EnumNode, ChoiceNode, Node.SkipNode {

	/** The own type in the contract, of a node that reads a peer as well. */
	TypeRef ref();

	/** The declared class or interface of this side. */
	Class<?> javaType();

	/** The own definition in the contract; null for a type that needs none. */
	default @Nullable ContractType definition() {
		return null;
	}

	/**
	 * The same for a final field that is filled from what arrives, so that both are
	 * charged.
	 */
	default Node copied() {
		return this;
	}

	/**
	 * A value that needs no other type: a primitive, its box, or a class of the JDK.
	 *
	 * @param javaType the class
	 * @param ref the type in the contract
	 * @param written the writer's type, which may be another number
	 */
	record ValueNode(Class<?> javaType, TypeRef ref, TypeRef written) implements Node {

		/**
		 * Whether the writer may have null where a primitive is declared here: a field is
		 * zero then, anything else refuses it.
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
	 * An array, or an {@link AtomicReferenceArray}.
	 *
	 * @param isAtomic whether it is an {@link AtomicReferenceArray}
	 */
	record ArrayNode(Class<?> component, Node element, boolean isAtomic) implements Node {

		/** An array of a primitive. */
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
		 * The array of an instance, itself or as a copy. A generic class may have made
		 * the array of a type variable as one of {@code Object}. Refuses an array of a
		 * subclass of the declared components.
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

		/** The array of the component type, or what holds a copy. */
		public Object of(@Nullable Object[] elements) {
			return this.isAtomic ? new AtomicReferenceArray<>(elements) : elements;
		}

	}

	/**
	 * A collection.
	 *
	 * @param isChecked whether elements whose hash codes were chosen to be equal could
	 * come
	 * @param sizes what an instance takes, without its elements
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

		/**
		 * Begin an instance that arrives; its order may be the reverse of the natural
		 * one.
		 */
		public Collection<@Nullable Object> begin(ReadBudget budget, boolean reversed) {
			if (!this.isChecked) {
				return this.kind.create(reversed);
			}
			budget.beginHashed();
			return new ArrayList<>();
		}

		/**
		 * Make what arrives of all elements, of which there were {@code count}. Refuses
		 * equal elements in a set, and too many of equal hash codes.
		 * @param start the size of the budget before the first element was read
		 */
		public Object finish(Collection<@Nullable Object> filled, int count, ReadBudget budget, long start) {
			if (!this.isChecked) {
				return this.kind.finish(filled, count);
			}
			budget.endHashed();
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
	 * A map.
	 *
	 * @param isChecked whether keys whose hash codes were chosen to be equal could come
	 * @param sizes what an instance takes, without keys and values
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
		 * Begin an instance that arrives, to be filled by {@link #put} alone; its order
		 * may be the reverse of the natural one.
		 */
		public Map<@Nullable Object, @Nullable Object> begin(ReadBudget budget, boolean reversed) {
			budget.charge(this.sizes.empty());
			return this.isChecked ? new KeyHashes() : this.kind.create(reversed);
		}

		/** Begin a key, which {@link #endKey} ends unless it fails. */
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
		 * Add an entry behind {@code count} others. Refuses null that the map cannot
		 * hold.
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
		 * Make what arrives of all entries, of which there were {@code count}. Refuses a
		 * key that was added twice, and too many of equal hash codes.
		 * @param start the size of the budget before the instance was begun
		 */
		public Object finish(Map<@Nullable Object, @Nullable Object> filled, int count, ReadBudget budget, long start) {
			Map<@Nullable Object, @Nullable Object> map = filled;
			if (filled instanceof KeyHashes gathered) {
				KeyHashes.compare(budget, budget.size() - start, gathered.keys(), javaType());
				map = this.kind.create(false);
				gathered.putInto(map);
			}
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

	/** The class whose order a hash table can use, {@code Object} if there is none. */
	private static Class<?> orderOf(Node key) {
		return (key instanceof ValueNode || key instanceof EnumNode) ? key.javaType() : Object.class;
	}

	/**
	 * What holds one value or none.
	 */
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
	 * A type of others, which is carried as another one.
	 */
	record DelegateNode(Delegate<?, ?> delegate, Node surrogate) implements Node {

		@Override
		public TypeRef ref() {
			return TypeRef.of("delegate", TypeRef.of(javaType().getName()), this.surrogate.ref());
		}

		@Override
		public Class<?> javaType() {
			return this.delegate.type();
		}

		/**
		 * How values and surrogates become each other; fails with a path if the delegate
		 * does.
		 */
		@SuppressWarnings("unchecked")
		public ScalarSurrogate form() {
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
	 * A type that can stand where several can.
	 *
	 * @param written the writer's entry, with its number
	 * @param kind the class or interface whose instances it carries; {@code void} if only
	 * the writer has it
	 * @param javaType the class that arrives
	 * @param type null if only the writer has it
	 */
	record Option(ContractMember written, Class<?> kind, Class<?> javaType, @Nullable Node type) {

		/** An own one. */
		public static Option of(int number, Class<?> kind, Class<?> javaType, Node type) {
			return new Option(new ContractMember(number, ContractMember.NONE, type.ref()), kind, javaType, type);
		}

	}

	/** What only the writer has, whatever its type. */
	enum SkipNode implements Node {

		/** Needs to know nothing of the type. */
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
