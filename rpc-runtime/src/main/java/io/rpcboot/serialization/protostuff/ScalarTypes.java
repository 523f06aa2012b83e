package io.rpcboot.serialization.protostuff;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.protostuff.WireFormat;

import io.rpcboot.serialization.contract.TypeRef;

import org.jspecify.annotations.Nullable;

/**
 * The types that are one number or one run of bytes on the wire, each as
 * protostuff-runtime writes it.
 */
final class ScalarTypes {

	private ScalarTypes() {
	}

	static Map<Class<?>, ValueType> all() {
		Map<Class<?>, ValueType> all = new HashMap<>();
		add(all, new IntegerType(), Integer.class, int.class);
		add(all, new LongType(), Long.class, long.class);
		add(all, new NarrowType(Narrow.SHORT), Short.class, short.class);
		add(all, new NarrowType(Narrow.BYTE), Byte.class, byte.class);
		add(all, new NarrowType(Narrow.CHAR), Character.class, char.class);
		add(all, new BooleanType(), Boolean.class, boolean.class);
		add(all, new FloatType(), Float.class, float.class);
		add(all, new DoubleType(), Double.class, double.class);
		add(all, new StringType(), String.class);
		add(all, new BytesType(), byte[].class);
		add(all, new VoidType(), Void.class);
		return all;
	}

	/** The type of a primitive. */
	static ValueType of(Class<?> primitive) {
		return Objects.requireNonNull(all().get(primitive));
	}

	private static void add(Map<Class<?>, ValueType> all, ValueType type, Class<?>... classes) {
		for (Class<?> each : classes) {
			all.put(each, type);
		}
	}

	private static final class IntegerType extends ValueType {

		IntegerType() {
			super(WireFormat.WIRETYPE_VARINT);
		}

		@Override
		void write(ProtostuffOutput out, int number, Object value) {
			NumberOutput.writeInt32(out, number, (Integer) value);
		}

		@Override
		Object read(ProtostuffInput in) {
			return NumberInput.readInt32(in);
		}

		@Override
		int writeRun(ProtostuffOutput out, int number, List<?> values, int from) {
			return NumberRun.write(out, number, values, from, Integer.class);
		}

		@Override
		@Nullable ArrayList<@Nullable Object> readRun(ProtostuffInput in, int tag) {
			return NumberRun.read(in, tag, true);
		}

		@Override
		TypeRef ref() {
			return TypeRef.of("java.lang.Integer");
		}

	}

	private static final class LongType extends ValueType {

		LongType() {
			super(WireFormat.WIRETYPE_VARINT);
		}

		@Override
		void write(ProtostuffOutput out, int number, Object value) {
			NumberOutput.writeInt64(out, number, (Long) value);
		}

		@Override
		Object read(ProtostuffInput in) {
			return NumberInput.readInt64(in);
		}

		@Override
		int writeRun(ProtostuffOutput out, int number, List<?> values, int from) {
			return NumberRun.write(out, number, values, from, Long.class);
		}

		@Override
		@Nullable ArrayList<@Nullable Object> readRun(ProtostuffInput in, int tag) {
			return NumberRun.read(in, tag, false);
		}

		@Override
		TypeRef ref() {
			return TypeRef.of("java.lang.Long");
		}

	}

	private static final class NarrowType extends ValueType {

		private final Narrow narrow;

		NarrowType(Narrow narrow) {
			super(WireFormat.WIRETYPE_VARINT);
			this.narrow = narrow;
		}

		@Override
		void write(ProtostuffOutput out, int number, Object value) {
			NumberOutput.writeUInt32(out, number, Narrow.unbox(value));
		}

		@Override
		Object read(ProtostuffInput in) {
			return this.narrow.box(this.narrow.require(in.readUInt32()));
		}

		@Override
		TypeRef ref() {
			return TypeRef.of(this.narrow.boxed.getName());
		}

	}

	private static final class BooleanType extends ValueType {

		BooleanType() {
			super(WireFormat.WIRETYPE_VARINT, 0);
		}

		@Override
		void write(ProtostuffOutput out, int number, Object value) {
			NumberOutput.writeBool(out, number, (Boolean) value);
		}

		@Override
		Object read(ProtostuffInput in) {
			return NumberInput.readBool(in);
		}

		@Override
		TypeRef ref() {
			return TypeRef.of("java.lang.Boolean");
		}

	}

	private static final class FloatType extends ValueType {

		FloatType() {
			super(WireFormat.WIRETYPE_FIXED32);
		}

		@Override
		void write(ProtostuffOutput out, int number, Object value) {
			NumberOutput.writeFloat(out, number, (Float) value);
		}

		@Override
		Object read(ProtostuffInput in) {
			return NumberInput.readFloat(in);
		}

		@Override
		TypeRef ref() {
			return TypeRef.of("java.lang.Float");
		}

	}

	private static final class DoubleType extends ValueType {

		DoubleType() {
			super(WireFormat.WIRETYPE_FIXED64);
		}

		@Override
		void write(ProtostuffOutput out, int number, Object value) {
			NumberOutput.writeDouble(out, number, (Double) value);
		}

		@Override
		Object read(ProtostuffInput in) {
			return NumberInput.readDouble(in);
		}

		@Override
		TypeRef ref() {
			return TypeRef.of("java.lang.Double");
		}

	}

	private static final class StringType extends ValueType {

		StringType() {
			super(WireFormat.WIRETYPE_LENGTH_DELIMITED, 0);
		}

		@Override
		void write(ProtostuffOutput out, int number, Object value) {
			Text.write(out, number, (String) value);
		}

		@Override
		Object read(ProtostuffInput in) {
			return Text.read(in);
		}

		@Override
		@Nullable Object takeField(ProtostuffInput in, int number) {
			return Text.take(in, WireFormat.makeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED));
		}

		@Override
		TypeRef ref() {
			return TypeRef.of("java.lang.String");
		}

	}

	/** The type of {@code Result<Void>}: only null. */
	private static final class VoidType extends ValueType {

		VoidType() {
			super(WireFormat.WIRETYPE_VARINT);
		}

		@Override
		void write(ProtostuffOutput out, int number, Object value) {
			throw new PathException("%s for java.lang.Void (expected: null)".formatted(value.getClass().getName()));
		}

		@Override
		Object read(ProtostuffInput in) {
			throw new PathException("a value for java.lang.Void (expected: null)");
		}

		@Override
		TypeRef ref() {
			return TypeRef.of("java.lang.Void");
		}

	}

}
