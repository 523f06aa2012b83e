package io.rpcboot.serialization.protostuff;

import java.lang.invoke.MethodHandle;
import java.util.List;

import io.rpcboot.serialization.contract.ContractType.Kind;

import org.jspecify.annotations.Nullable;

/**
 * A class that is made by its no-arg constructor and then filled. What the constructor
 * put into a field never survives: a field that did not arrive is set to null or zero.
 */
final class BeanType extends StructType {

	private final MethodHandle constructor;

	private MethodHandle[] readers = {};

	/**
	 * Create a type.
	 * @param constructor of type {@code ()Object}
	 */
	BeanType(ResolvedType type, MethodHandle constructor) {
		super(type);
		this.constructor = constructor;
	}

	@Override
	void link(List<Field> ascending) {
		super.link(ascending);
		this.readers = Fields.compose(ascending.stream().map(Field::reader).toList());
	}

	@Override
	void linkForReading(List<Field> ascending) {
		super.linkForReading(ascending);
		this.readers = Fields.compose(ascending.stream().map(Field::reader).toList());
	}

	@Override
	StructType unlinked() {
		return new BeanType(type(), this.constructor);
	}

	@Override
	Object readFields(ProtostuffInput in) {
		Object bean = create();
		try {
			for (MethodHandle each : this.readers) {
				each.invokeExact(in, bean);
			}
		}
		catch (Throwable ex) {
			throw PathException.of(ex);
		}
		return bean;
	}

	@Override
	Object create(@Nullable Object[] values, boolean[] present) throws Throwable {
		Object bean = create();
		Field[] fields = fields();
		for (int i = 0; i < fields.length; i++) {
			if (present[i]) {
				fields[i].setter().invokeExact(bean, values[i]);
			}
		}
		return bean;
	}

	private Object create() {
		try {
			return (Object) this.constructor.invokeExact();
		}
		catch (Exception ex) {
			throw new PathException("the constructor of %s threw %s".formatted(javaType().getName(), ex), ex);
		}
		catch (Throwable ex) {
			throw PathException.of(ex);
		}
	}

	@Override
	Kind kind() {
		return Kind.BEAN;
	}

}
