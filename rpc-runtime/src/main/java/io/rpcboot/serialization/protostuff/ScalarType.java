package io.rpcboot.serialization.protostuff;

import java.util.ArrayList;
import java.util.List;

import io.protostuff.WireFormat;

import io.rpcboot.serialization.types.ReadBudget;

import org.jspecify.annotations.Nullable;

/**
 * A primitive and its box: one number on the wire, as protostuff-runtime writes it; as a
 * field, as an element, and in an array, which has a loop of its own in which nothing is
 * boxed.
 */
abstract class ScalarType extends ValueType {

	static final List<ScalarType> ALL = List.of(new ByteType(), new ShortType(), new CharType(), new IntegerType(),
			new LongType(), new BooleanType(), new FloatType(), new DoubleType());

	final Class<?> primitive;

	/** What the handles of a field take, by the names of their methods. */
	final Class<?> carrier;

	final String writer;

	final String taker;

	private ScalarType(Class<?> primitive, Class<?> carrier, String writer, String taker, int wireType) {
		super(wireType, (primitive == boolean.class) ? 0 : ReadBudget.BOX);
		this.primitive = primitive;
		this.carrier = carrier;
		this.writer = writer;
		this.taker = taker;
	}

	static ScalarType of(Class<?> primitive) {
		return ALL.stream().filter((each) -> each.primitive == primitive).findFirst().orElseThrow();
	}

	/** Write the elements of an array of the primitive. */
	abstract void writeElements(ProtostuffOutput out, Object array);

	/** Read as many elements as an array has. */
	abstract void readElements(ProtostuffInput in, Object array);

	/** Read the tag of the next element. */
	final void nextElement(ProtostuffInput in) {
		if (!in.tryTag(WireFormat.makeTag(ArrayType.ELEMENT, wireType()))) {
			throw ArrayType.missing(in);
		}
	}

	private static final class IntegerType extends ScalarType {

		IntegerType() {
			super(int.class, int.class, "writeInt32", "takeInt32", WireFormat.WIRETYPE_VARINT);
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
		void writeElements(ProtostuffOutput out, Object array) {
			for (int each : (int[]) array) {
				NumberOutput.writeInt32(out, ArrayType.ELEMENT, each);
			}
		}

		@Override
		void readElements(ProtostuffInput in, Object array) {
			int[] elements = (int[]) array;
			for (int i = 0; i < elements.length; i++) {
				nextElement(in);
				elements[i] = NumberInput.readInt32(in);
			}
		}

	}

	private static final class LongType extends ScalarType {

		LongType() {
			super(long.class, long.class, "writeInt64", "takeInt64", WireFormat.WIRETYPE_VARINT);
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
		void writeElements(ProtostuffOutput out, Object array) {
			for (long each : (long[]) array) {
				NumberOutput.writeInt64(out, ArrayType.ELEMENT, each);
			}
		}

		@Override
		void readElements(ProtostuffInput in, Object array) {
			long[] elements = (long[]) array;
			for (int i = 0; i < elements.length; i++) {
				nextElement(in);
				elements[i] = in.readInt64();
			}
		}

	}

	/** An array of bytes is {@link BytesType}. */
	private static final class ByteType extends ScalarType {

		ByteType() {
			super(byte.class, int.class, "writeUInt32", "takeByte", WireFormat.WIRETYPE_VARINT);
		}

		@Override
		void write(ProtostuffOutput out, int number, Object value) {
			NumberOutput.writeUInt32(out, number, (Byte) value);
		}

		@Override
		Object read(ProtostuffInput in) {
			return NumberInput.readByte(in);
		}

		@Override
		void writeElements(ProtostuffOutput out, Object array) {
			throw new IllegalStateException("bytes are no elements");
		}

		@Override
		void readElements(ProtostuffInput in, Object array) {
			throw new IllegalStateException("bytes are no elements");
		}

	}

	private static final class ShortType extends ScalarType {

		ShortType() {
			super(short.class, int.class, "writeUInt32", "takeShort", WireFormat.WIRETYPE_VARINT);
		}

		@Override
		void write(ProtostuffOutput out, int number, Object value) {
			NumberOutput.writeUInt32(out, number, (Short) value);
		}

		@Override
		Object read(ProtostuffInput in) {
			return NumberInput.readShort(in);
		}

		@Override
		void writeElements(ProtostuffOutput out, Object array) {
			for (short each : (short[]) array) {
				NumberOutput.writeUInt32(out, ArrayType.ELEMENT, each);
			}
		}

		@Override
		void readElements(ProtostuffInput in, Object array) {
			short[] elements = (short[]) array;
			for (int i = 0; i < elements.length; i++) {
				nextElement(in);
				elements[i] = NumberInput.readShort(in);
			}
		}

	}

	private static final class CharType extends ScalarType {

		CharType() {
			super(char.class, int.class, "writeUInt32", "takeChar", WireFormat.WIRETYPE_VARINT);
		}

		@Override
		void write(ProtostuffOutput out, int number, Object value) {
			NumberOutput.writeUInt32(out, number, (Character) value);
		}

		@Override
		Object read(ProtostuffInput in) {
			return NumberInput.readChar(in);
		}

		@Override
		void writeElements(ProtostuffOutput out, Object array) {
			for (char each : (char[]) array) {
				NumberOutput.writeUInt32(out, ArrayType.ELEMENT, each);
			}
		}

		@Override
		void readElements(ProtostuffInput in, Object array) {
			char[] elements = (char[]) array;
			for (int i = 0; i < elements.length; i++) {
				nextElement(in);
				elements[i] = NumberInput.readChar(in);
			}
		}

	}

	private static final class BooleanType extends ScalarType {

		BooleanType() {
			super(boolean.class, boolean.class, "writeBool", "takeBool", WireFormat.WIRETYPE_VARINT);
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
		void writeElements(ProtostuffOutput out, Object array) {
			for (boolean each : (boolean[]) array) {
				NumberOutput.writeBool(out, ArrayType.ELEMENT, each);
			}
		}

		@Override
		void readElements(ProtostuffInput in, Object array) {
			boolean[] elements = (boolean[]) array;
			for (int i = 0; i < elements.length; i++) {
				nextElement(in);
				elements[i] = NumberInput.readBool(in);
			}
		}

	}

	private static final class FloatType extends ScalarType {

		FloatType() {
			super(float.class, float.class, "writeFloat", "takeFloat", WireFormat.WIRETYPE_FIXED32);
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
		void writeElements(ProtostuffOutput out, Object array) {
			for (float each : (float[]) array) {
				NumberOutput.writeFloat(out, ArrayType.ELEMENT, each);
			}
		}

		@Override
		void readElements(ProtostuffInput in, Object array) {
			float[] elements = (float[]) array;
			for (int i = 0; i < elements.length; i++) {
				nextElement(in);
				elements[i] = NumberInput.readFloat(in);
			}
		}

	}

	private static final class DoubleType extends ScalarType {

		DoubleType() {
			super(double.class, double.class, "writeDouble", "takeDouble", WireFormat.WIRETYPE_FIXED64);
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
		void writeElements(ProtostuffOutput out, Object array) {
			for (double each : (double[]) array) {
				NumberOutput.writeDouble(out, ArrayType.ELEMENT, each);
			}
		}

		@Override
		void readElements(ProtostuffInput in, Object array) {
			double[] elements = (double[]) array;
			for (int i = 0; i < elements.length; i++) {
				nextElement(in);
				elements[i] = NumberInput.readDouble(in);
			}
		}

	}

}
