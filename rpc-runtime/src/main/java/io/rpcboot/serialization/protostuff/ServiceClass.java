package io.rpcboot.serialization.protostuff;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;

import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.contract.ContractMember;

import org.jspecify.annotations.Nullable;

/**
 * A bean, a record or an exception of a closed world: its fields and how an instance is
 * made. Immutable and thread-safe.
 */
public final class ServiceClass {

	/** The values of the fields, and what says which of them are there. */
	private static final int BESIDES = 3;

	private static final int PER_FIELD = 8;

	private final StructType type;

	private final List<ContractMember> members;

	private final MethodHandle[] getters;

	private final @Nullable Object[] zeros;

	private final int size;

	private ServiceClass(StructType type, List<ContractMember> members, MethodHandle[] getters,
			@Nullable Object[] zeros) {
		this.type = type;
		this.members = members;
		this.getters = getters;
		this.zeros = zeros;
		this.size = Sizes.of(type.javaType()) + BESIDES * ReadBudget.OBJECT + PER_FIELD * zeros.length;
	}

	static ServiceClass of(StructType type) {
		Field[] fields = type.fields();
		MethodHandle[] getters = new MethodHandle[fields.length];
		@Nullable Object[] zeros = new @Nullable Object[fields.length];
		List<FieldDefinition> definitions = ClassFields.of(type.javaType(), new TypePath("", ""));
		for (int i = 0; i < fields.length; i++) {
			String name = fields[i].name();
			FieldDefinition definition = definitions.stream()
				.filter((each) -> each.name().equals(name))
				.findFirst()
				.orElse(null);
			getters[i] = (definition != null) ? definition.getter() : MessageAccess.getter();
			zeros[i] = (definition != null) ? zero(definition.rawType()) : null;
		}
		return new ServiceClass(type, Arrays.stream(fields).map(Field::member).toList(), getters, zeros);
	}

	private static @Nullable Object zero(Class<?> type) {
		return type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : null;
	}

	/**
	 * The class.
	 * @return the class that every instance has, no subclass of it
	 */
	public Class<?> javaType() {
		return this.type.javaType();
	}

	/**
	 * The fields.
	 * @return as they are in the contract, in its order
	 */
	public List<ContractMember> members() {
		return this.members;
	}

	/**
	 * The value of a field.
	 * @param instance of the class or, for an exception, of a subclass
	 * @param index of the field in {@link #members()}
	 * @return its value, a box for a primitive
	 */
	public @Nullable Object get(Object instance, int index) {
		try {
			return (Object) this.getters[index].invokeExact(instance);
		}
		catch (Throwable ex) {
			throw failure(ex);
		}
	}

	/**
	 * Begin an instance that arrives.
	 * @param budget of the message
	 * @return room for the values of the fields
	 * @throws SerializationException if the budget is used up
	 */
	public @Nullable Object[] begin(ReadBudget budget) {
		budget.charge(this.size);
		return new @Nullable Object[this.members.size()];
	}

	/**
	 * Make an instance.
	 * @param values of the fields by index in {@link #members()}, boxes for primitives
	 * @param present which of them are known; a field that is not keeps what a no-arg
	 * constructor gave it, or is null or zero where a constructor takes the fields
	 * @return the instance
	 * @throws SerializationException if the constructor throws
	 */
	public Object create(@Nullable Object[] values, boolean[] present) {
		for (int i = 0; i < values.length; i++) {
			values[i] = (values[i] != null) ? values[i] : this.zeros[i];
		}
		try {
			return this.type.create(values, present);
		}
		catch (Throwable ex) {
			throw failure(ex);
		}
	}

	private static SerializationException failure(Throwable failure) {
		PathException known = PathException.of(failure);
		return new SerializationException(String.valueOf(known.getMessage()), known.getCause());
	}

	/** A getter of type {@code (Object)Object}. */
	static MethodHandle generic(MethodHandle getter) {
		return getter.asType(MethodType.methodType(Object.class, Object.class));
	}

}
