package io.rpcboot.serialization.protostuff;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Objects;

import io.protostuff.WireFormat;

import org.jspecify.annotations.Nullable;

/**
 * A field of type {@code byte}, {@code short} or {@code char}; its handles have the type
 * {@code int}.
 */
final class NarrowField extends Field {

	private final Narrow narrow;

	private final MethodHandle getter;

	private final MethodHandle setter;

	NarrowField(int number, String name, Class<?> type, MethodHandle getter, MethodHandle setter) {
		super(number, name, type.getName());
		this.narrow = Narrow.of(type);
		this.getter = getter.asType(MethodType.methodType(int.class, Object.class));
		this.setter = MethodHandles.explicitCastArguments(setter,
				MethodType.methodType(void.class, Object.class, int.class));
	}

	@Override
	void write(ProtostuffOutput out, Object instance) {
		try {
			out.writeUInt32(this.number, (int) this.getter.invokeExact(instance), false);
		}
		catch (Throwable ex) {
			throw PathException.of(ex);
		}
	}

	@Override
	void read(ProtostuffInput in, int tag, Object instance) {
		put(instance, readInt(in, tag));
	}

	@Override
	Object readValue(ProtostuffInput in, int tag) {
		return this.narrow.box(readInt(in, tag));
	}

	private int readInt(ProtostuffInput in, int tag) {
		ValueType.requireWireType(tag, WireFormat.WIRETYPE_VARINT);
		return this.narrow.require(in.readUInt32());
	}

	@Override
	void set(Object instance, @Nullable Object value) {
		put(instance, Narrow.unbox(Objects.requireNonNull(value)));
	}

	@Override
	void clear(Object instance) {
		put(instance, 0);
	}

	@Override
	Object zero() {
		return this.narrow.box(0);
	}

	private void put(Object instance, int value) {
		try {
			this.setter.invokeExact(instance, value);
		}
		catch (Throwable ex) {
			throw PathException.of(ex);
		}
	}

}
