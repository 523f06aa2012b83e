package io.rpcboot.serialization.protostuff;

import java.lang.invoke.MethodHandle;
import java.util.Objects;

import io.protostuff.WireFormat;

import org.jspecify.annotations.Nullable;

/**
 * A field of a primitive type: always written, moved without boxing.
 */
abstract class PrimitiveField extends Field {

	final int wireType;

	final MethodHandle getter;

	final MethodHandle setter;

	PrimitiveField(int number, String name, Class<?> type, int wireType, MethodHandle getter, MethodHandle setter) {
		super(number, name, type.getName());
		this.wireType = wireType;
		this.getter = getter;
		this.setter = setter;
	}

	/**
	 * Create a field.
	 * @param getter from an instance to the type
	 * @param setter of the type
	 */
	static Field of(int number, String name, Class<?> type, MethodHandle getter, MethodHandle setter) {
		if (type == int.class) {
			return new IntField(number, name, getter, setter);
		}
		if (type == long.class) {
			return new LongField(number, name, getter, setter);
		}
		if (type == boolean.class) {
			return new BooleanField(number, name, getter, setter);
		}
		if (type == float.class) {
			return new FloatField(number, name, getter, setter);
		}
		if (type == double.class) {
			return new DoubleField(number, name, getter, setter);
		}
		return new NarrowField(number, name, type, getter, setter);
	}

	private static final class IntField extends PrimitiveField {

		IntField(int number, String name, MethodHandle getter, MethodHandle setter) {
			super(number, name, int.class, WireFormat.WIRETYPE_VARINT, getter, setter);
		}

		@Override
		void write(ProtostuffOutput out, Object instance) {
			try {
				out.writeInt32(this.number, (int) this.getter.invokeExact(instance), false);
			}
			catch (Throwable ex) {
				throw PathException.of(ex);
			}
		}

		@Override
		void read(ProtostuffInput in, int tag, Object instance) {
			ValueType.requireWireType(tag, this.wireType);
			put(instance, in.readInt32());
		}

		@Override
		Integer readValue(ProtostuffInput in, int tag) {
			ValueType.requireWireType(tag, this.wireType);
			return in.readInt32();
		}

		@Override
		void set(Object instance, @Nullable Object value) {
			put(instance, (int) Objects.requireNonNull(value));
		}

		@Override
		void clear(Object instance) {
			put(instance, 0);
		}

		@Override
		Integer zero() {
			return 0;
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

	private static final class LongField extends PrimitiveField {

		LongField(int number, String name, MethodHandle getter, MethodHandle setter) {
			super(number, name, long.class, WireFormat.WIRETYPE_VARINT, getter, setter);
		}

		@Override
		void write(ProtostuffOutput out, Object instance) {
			try {
				out.writeInt64(this.number, (long) this.getter.invokeExact(instance), false);
			}
			catch (Throwable ex) {
				throw PathException.of(ex);
			}
		}

		@Override
		void read(ProtostuffInput in, int tag, Object instance) {
			ValueType.requireWireType(tag, this.wireType);
			put(instance, in.readInt64());
		}

		@Override
		Long readValue(ProtostuffInput in, int tag) {
			ValueType.requireWireType(tag, this.wireType);
			return in.readInt64();
		}

		@Override
		void set(Object instance, @Nullable Object value) {
			put(instance, (long) Objects.requireNonNull(value));
		}

		@Override
		void clear(Object instance) {
			put(instance, 0L);
		}

		@Override
		Long zero() {
			return 0L;
		}

		private void put(Object instance, long value) {
			try {
				this.setter.invokeExact(instance, value);
			}
			catch (Throwable ex) {
				throw PathException.of(ex);
			}
		}

	}

	private static final class BooleanField extends PrimitiveField {

		BooleanField(int number, String name, MethodHandle getter, MethodHandle setter) {
			super(number, name, boolean.class, WireFormat.WIRETYPE_VARINT, getter, setter);
		}

		@Override
		void write(ProtostuffOutput out, Object instance) {
			try {
				out.writeBool(this.number, (boolean) this.getter.invokeExact(instance), false);
			}
			catch (Throwable ex) {
				throw PathException.of(ex);
			}
		}

		@Override
		void read(ProtostuffInput in, int tag, Object instance) {
			ValueType.requireWireType(tag, this.wireType);
			put(instance, in.readBool());
		}

		@Override
		Boolean readValue(ProtostuffInput in, int tag) {
			ValueType.requireWireType(tag, this.wireType);
			return in.readBool();
		}

		@Override
		void set(Object instance, @Nullable Object value) {
			put(instance, (boolean) Objects.requireNonNull(value));
		}

		@Override
		void clear(Object instance) {
			put(instance, false);
		}

		@Override
		Boolean zero() {
			return false;
		}

		private void put(Object instance, boolean value) {
			try {
				this.setter.invokeExact(instance, value);
			}
			catch (Throwable ex) {
				throw PathException.of(ex);
			}
		}

	}

	private static final class FloatField extends PrimitiveField {

		FloatField(int number, String name, MethodHandle getter, MethodHandle setter) {
			super(number, name, float.class, WireFormat.WIRETYPE_FIXED32, getter, setter);
		}

		@Override
		void write(ProtostuffOutput out, Object instance) {
			try {
				out.writeFloat(this.number, (float) this.getter.invokeExact(instance), false);
			}
			catch (Throwable ex) {
				throw PathException.of(ex);
			}
		}

		@Override
		void read(ProtostuffInput in, int tag, Object instance) {
			ValueType.requireWireType(tag, this.wireType);
			put(instance, in.readFloat());
		}

		@Override
		Float readValue(ProtostuffInput in, int tag) {
			ValueType.requireWireType(tag, this.wireType);
			return in.readFloat();
		}

		@Override
		void set(Object instance, @Nullable Object value) {
			put(instance, (float) Objects.requireNonNull(value));
		}

		@Override
		void clear(Object instance) {
			put(instance, 0f);
		}

		@Override
		Float zero() {
			return 0f;
		}

		private void put(Object instance, float value) {
			try {
				this.setter.invokeExact(instance, value);
			}
			catch (Throwable ex) {
				throw PathException.of(ex);
			}
		}

	}

	private static final class DoubleField extends PrimitiveField {

		DoubleField(int number, String name, MethodHandle getter, MethodHandle setter) {
			super(number, name, double.class, WireFormat.WIRETYPE_FIXED64, getter, setter);
		}

		@Override
		void write(ProtostuffOutput out, Object instance) {
			try {
				out.writeDouble(this.number, (double) this.getter.invokeExact(instance), false);
			}
			catch (Throwable ex) {
				throw PathException.of(ex);
			}
		}

		@Override
		void read(ProtostuffInput in, int tag, Object instance) {
			ValueType.requireWireType(tag, this.wireType);
			put(instance, in.readDouble());
		}

		@Override
		Double readValue(ProtostuffInput in, int tag) {
			ValueType.requireWireType(tag, this.wireType);
			return in.readDouble();
		}

		@Override
		void set(Object instance, @Nullable Object value) {
			put(instance, (double) Objects.requireNonNull(value));
		}

		@Override
		void clear(Object instance) {
			put(instance, 0d);
		}

		@Override
		Double zero() {
			return 0d;
		}

		private void put(Object instance, double value) {
			try {
				this.setter.invokeExact(instance, value);
			}
			catch (Throwable ex) {
				throw PathException.of(ex);
			}
		}

	}

}
