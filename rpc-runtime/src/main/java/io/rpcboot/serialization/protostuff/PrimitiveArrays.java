package io.rpcboot.serialization.protostuff;

import java.util.List;

import io.protostuff.WireFormat;

/**
 * The arrays of primitives but {@code byte[]}, each with a loop of its own, in which
 * nothing is boxed.
 */
final class PrimitiveArrays {

	static final PrimitiveArrayType INTS = new IntArray();

	static final PrimitiveArrayType LONGS = new LongArray();

	private PrimitiveArrays() {
	}

	static List<PrimitiveArrayType> all() {
		return List.of(INTS, LONGS, new ShortArray(), new CharArray(), new BooleanArray(), new FloatArray(),
				new DoubleArray());
	}

	private static final class IntArray extends PrimitiveArrayType {

		IntArray() {
			super(int[].class, WireFormat.WIRETYPE_VARINT);
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

	private static final class LongArray extends PrimitiveArrayType {

		LongArray() {
			super(long[].class, WireFormat.WIRETYPE_VARINT);
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

	private static final class ShortArray extends PrimitiveArrayType {

		ShortArray() {
			super(short[].class, WireFormat.WIRETYPE_VARINT);
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
				elements[i] = (short) Narrow.SHORT.require(in.readUInt32());
			}
		}

	}

	private static final class CharArray extends PrimitiveArrayType {

		CharArray() {
			super(char[].class, WireFormat.WIRETYPE_VARINT);
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
				elements[i] = (char) Narrow.CHAR.require(in.readUInt32());
			}
		}

	}

	private static final class BooleanArray extends PrimitiveArrayType {

		BooleanArray() {
			super(boolean[].class, WireFormat.WIRETYPE_VARINT);
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

	private static final class FloatArray extends PrimitiveArrayType {

		FloatArray() {
			super(float[].class, WireFormat.WIRETYPE_FIXED32);
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

	private static final class DoubleArray extends PrimitiveArrayType {

		DoubleArray() {
			super(double[].class, WireFormat.WIRETYPE_FIXED64);
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
