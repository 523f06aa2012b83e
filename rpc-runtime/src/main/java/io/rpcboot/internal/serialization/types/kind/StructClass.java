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
 * Bean, record or exception: its fields and its constructor. An instance of a class with
 * a no-arg constructor is created empty and then filled. Others are created by a
 * constructor that takes fields: a record by its canonical one, a class with final fields
 * by the one whose parameters have the names and types of fields. Remaining fields are
 * set afterwards. Immutable once linked.
 */
public final class StructClass {

	private static final MethodType SETTER = MethodType.methodType(void.class, Object.class, Object.class);

	private final ResolvedType type;

	private final Kind kind;

	private final Creator creator;

	private final boolean isFilled;

	private final int size;

	/** Name of the option that declares subtypes, for a message. */
	private final String option;

	private List<StructField> fields = List.of();

	/** Setters of all fields, created when the first field is set. */
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

	/** Links to the fields, each at its index. */
	public void link(List<StructField> fields) {
		this.fields = List.copyOf(fields);
		this.zeros = fields.stream().map((each) -> Creator.zero(each.rawType())).toArray();
		this.setAfterwards = this.creator.link(fields.stream().map((each) -> each.member().name()).toList());
	}

	/** Returns the class of all instances, never a subclass. */
	public Class<?> javaType() {
		return this.type.raw();
	}

	public TypeRef ref() {
		return this.type.ref();
	}

	public Kind kind() {
		return this.kind;
	}

	/** Returns true if the constructor takes a field. */
	public boolean takes(String field) {
		return this.creator.takes(field);
	}

	/**
	 * Returns true if the constructor gets null for a field that the writer lacks, unless
	 * it refuses null.
	 */
	public boolean isNullWithout(StructField field) {
		return !field.rawType().isPrimitive() && this.creator.takes(field.member().name())
				&& !(this.creator instanceof ConstantCreator) && !this.creator.hasDefaults();
	}

	/** Returns the fields by index, which is also by rising number. */
	public List<StructField> fields() {
		return this.fields;
	}

	/**
	 * Returns the heap size of an instance in bytes, without the objects that its fields
	 * refer to.
	 */
	public int size() {
		return this.size;
	}

	/**
	 * Returns the instance whose fields are written: the value itself, or the entity of a
	 * proxy. Refuses an instance of another class, unless the class has no source and
	 * holds no data.
	 */
	public Object exact(Object value) {
		Class<?> raw = this.type.raw();
		if (value.getClass() == raw) {
			return value;
		}
		if (Proxies.carriedClass(value) == raw) {
			return Proxies.unwrap(value);
		}
		String declared = raw.getTypeName();
		String found = "%s where %s is declared".formatted(value.getClass().getTypeName(), declared);
		String remedy = Proxies.remedy(value.getClass(), declared);
		throw new PathException((remedy != null) ? "%s: %s".formatted(found, remedy)
				: "%s (expected: exactly that class, or fields would be lost; subclasses are declared by @RpcSubtypes on %s or by %s)"
					.formatted(found, declared, this.option));
	}

	/**
	 * Returns true if {@link #create()} creates an instance before its fields are known,
	 * and the setters fill it.
	 */
	public boolean isFilled() {
		return this.isFilled;
	}

	/**
	 * Creates an instance to be filled. A field that is not set keeps the value of the
	 * constructor.
	 */
	public Object create() {
		return this.creator.create();
	}

	/** Returns an array for the values of all fields: null or zero for each. */
	public @Nullable Object[] values() {
		return this.zeros.clone();
	}

	/**
	 * Returns the creator for a writer that has some of the fields.
	 * @param present true for each field that the writer has; any other keeps the value
	 * of a no-arg constructor, or is missing for the constructor that takes it
	 */
	public Creator creator(boolean[] present) {
		List<StructField> missing = this.fields.stream()
			.filter((each) -> !present[each.index()] && takes(each.member().name()))
			.toList();
		return missing.isEmpty() || this.creator instanceof ConstantCreator ? this.creator
				: new PartialCreator(this.creator, missing);
	}

	/**
	 * Creates an instance of any class.
	 * @param creator creator for the fields of the writer
	 * @param values values of the fields by index, boxes for primitives; not used
	 * afterwards
	 * @param present true for each field that the writer has
	 */
	public Object create(Creator creator, @Nullable Object[] values, boolean[] present) {
		Object instance = creator.create(values);
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
