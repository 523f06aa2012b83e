package io.rpcboot.serialization.protostuff;

import java.lang.invoke.MethodHandle;

import org.jspecify.annotations.Nullable;

/**
 * A field that can be null; null is absent on the wire.
 */
final class ReferenceField extends Field {

	private final MethodHandle getter;

	private final MethodHandle setter;

	private final ValueType type;

	ReferenceField(int number, String name, MethodHandle getter, MethodHandle setter, ValueType type) {
		super(number, name, type.contract());
		this.getter = getter;
		this.setter = setter;
		this.type = type;
	}

	@Override
	void write(ProtostuffOutput out, Object instance) {
		Object value = get(instance);
		if (value != null) {
			this.type.writeField(out, this.number, value);
		}
	}

	private @Nullable Object get(Object instance) {
		try {
			return (Object) this.getter.invokeExact(instance);
		}
		catch (Throwable ex) {
			throw PathException.of(ex);
		}
	}

	@Override
	void read(ProtostuffInput in, int tag, Object instance) {
		set(instance, this.type.readField(in, tag));
	}

	@Override
	Object readValue(ProtostuffInput in, int tag) {
		return this.type.readField(in, tag);
	}

	@Override
	void set(Object instance, @Nullable Object value) {
		try {
			this.setter.invokeExact(instance, value);
		}
		catch (Throwable ex) {
			throw PathException.of(ex);
		}
	}

	@Override
	void clear(Object instance) {
		set(instance, null);
	}

	@Override
	@Nullable Object zero() {
		return null;
	}

}
