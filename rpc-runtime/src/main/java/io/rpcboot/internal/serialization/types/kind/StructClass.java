package io.rpcboot.internal.serialization.types.kind;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.List;

import io.rpcboot.internal.serialization.types.value.Sizes;
import io.rpcboot.serialization.PathException;
import io.rpcboot.serialization.contract.ContractType.Kind;
import io.rpcboot.serialization.contract.TypeRef;
import org.jspecify.annotations.Nullable;

/**
 * A bean, a record or an exception: its fields and how an instance is made. A class with
 * a no-arg constructor is made empty and then filled; any other is made by a constructor
 * that takes fields: a record by its canonical one, a class with final fields by the one
 * whose parameters have the names and types of fields. Fields that it does not take are
 * set afterwards. Immutable once linked.
 */
public final class StructClass {

	private static final MethodType SETTER = MethodType.methodType(void.class, Object.class, Object.class);

	private final ResolvedType type;

	private final Kind kind;

	private final Creator creator;

	private final boolean isFilled;

	private final int size;

	/** What declares subtypes, for a message. */
	private final String option;

	private List<StructField> fields = List.of();

	/** Of all fields, made when the first field is set. */
	private volatile MethodHandle @Nullable [] setters;

	private @Nullable Object[] zeros = {};

	private int[] setAfterwards = {};

	public StructClass(ResolvedType type, Kind kind, Creator creator, TypePath path) {
		this.type = type;
		this.kind = kind;
		this.creator = creator;
		this.isFilled = kind == Kind.BEAN && creator.takesNothing();
		this.size = Sizes.of(type.raw());
		this.option = path.options().subtypesOf(type.raw());
	}

	/** Link to the fields, each at its index. */
	public void link(List<StructField> fields) {
		this.fields = List.copyOf(fields);
		this.zeros = fields.stream().map((each) -> Creator.zero(each.rawType())).toArray();
		this.setAfterwards = this.creator.link(fields.stream().map((each) -> each.member().name()).toList());
	}

	/** The class that every instance has, no subclass of it. */
	public Class<?> javaType() {
		return this.type.raw();
	}

	public TypeRef ref() {
		return this.type.ref();
	}

	public Kind kind() {
		return this.kind;
	}

	/** Whether the constructor takes a field. */
	public boolean takes(String field) {
		return this.creator.takes(field);
	}

	/** Each field at its index, by rising number. */
	public List<StructField> fields() {
		return this.fields;
	}

	/** The bytes that an instance takes on the heap, without what the fields refer to. */
	public int size() {
		return this.size;
	}

	/** Refuse an instance of any other class. */
	public void requireExact(Object value) {
		if (value.getClass() != this.type.raw()) {
			String declared = this.type.raw().getTypeName();
			throw new PathException(
					"%s where %s is declared (expected: exactly that class, or fields would be lost; subclasses are declared by @RpcSubtypes on %s or by %s)"
						.formatted(value.getClass().getTypeName(), declared, declared, this.option));
		}
	}

	/**
	 * Whether an instance is made by {@link #create()} before its fields are known, and
	 * the setters of the fields fill it.
	 */
	public boolean isFilled() {
		return this.isFilled;
	}

	/**
	 * Make an instance to be filled. A field that is not set keeps what the constructor
	 * put into it.
	 */
	public Object create() {
		return this.creator.create();
	}

	/** Room for the values of all fields: null or zero for each. */
	public @Nullable Object[] values() {
		return this.zeros.clone();
	}

	/**
	 * Make an instance of any class.
	 * @param values of the fields by index, boxes for primitives; not used afterwards
	 * @param present which of them the writer has; any other keeps what a no-arg
	 * constructor gave it, or is null or zero where a constructor takes the fields
	 */
	public Object create(@Nullable Object[] values, boolean[] present) {
		Object instance = this.creator.create(values);
		for (int index : this.setAfterwards) {
			if (present[index]) {
				set(instance, index, values[index]);
			}
		}
		return instance;
	}

	private void set(Object instance, int index, @Nullable Object value) {
		MethodHandle[] known = this.setters;
		MethodHandle setter = ((known != null) ? known : setters())[index];
		try {
			setter.invokeExact(instance, value);
		}
		catch (Throwable ex) {
			throw PathException.of(ex);
		}
	}

	private synchronized MethodHandle[] setters() {
		MethodHandle[] result = this.setters;
		if (result == null) {
			result = this.fields.stream().map((each) -> each.setter().asType(SETTER)).toArray(MethodHandle[]::new);
			this.setters = result;
		}
		return result;
	}

	@Override
	public String toString() {
		return this.type.toString();
	}

}
