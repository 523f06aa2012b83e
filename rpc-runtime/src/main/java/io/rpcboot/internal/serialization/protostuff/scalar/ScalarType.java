package io.rpcboot.internal.serialization.protostuff.scalar;

import java.util.List;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import io.rpcboot.internal.serialization.types.value.ReadBudget;

/**
 * Primitive and its box: one number on the wire, written as by protostuff-runtime. Each
 * primitive has its own class, so the handle of a field is compiled for one of them, and
 * its own loops for arrays, which box nothing.
 */
public abstract class ScalarType extends ValueType {

	private static final ScalarType BYTE = new ScalarType(byte.class, int.class, "writeUInt32", "takeByte",
			WireFormat.WIRETYPE_VARINT) {
		@Override
		public void write(ProtostuffOutput out, int number, Object value) {
			out.writeUInt32(number, (Byte) value);
		}

		@Override
		public Object read(ProtostuffInput in) {
			return in.readByte();
		}

	};

	private static final ScalarType SHORT = new ScalarType(short.class, int.class, "writeUInt32", "takeShort",
			WireFormat.WIRETYPE_VARINT) {
		@Override
		public void write(ProtostuffOutput out, int number, Object value) {
			out.writeUInt32(number, (Short) value);
		}

		@Override
		public Object read(ProtostuffInput in) {
			return in.readShort();
		}

		@Override
		void writeElements(ProtostuffOutput out, Object array) {
			for (short each : (short[]) array) {
				out.writeUInt32(ArrayType.ELEMENT, each);
			}
		}

		@Override
		void readElements(ProtostuffInput in, Object array) {
			short[] elements = (short[]) array;
			for (int i = 0; i < elements.length; i++) {
				elements[i] = next(in).readShort();
			}
		}

	};

	private static final ScalarType CHAR = new ScalarType(char.class, int.class, "writeUInt32", "takeChar",
			WireFormat.WIRETYPE_VARINT) {
		@Override
		public void write(ProtostuffOutput out, int number, Object value) {
			out.writeUInt32(number, (Character) value);
		}

		@Override
		public Object read(ProtostuffInput in) {
			return in.readChar();
		}

		@Override
		void writeElements(ProtostuffOutput out, Object array) {
			for (char each : (char[]) array) {
				out.writeUInt32(ArrayType.ELEMENT, each);
			}
		}

		@Override
		void readElements(ProtostuffInput in, Object array) {
			char[] elements = (char[]) array;
			for (int i = 0; i < elements.length; i++) {
				elements[i] = next(in).readChar();
			}
		}

	};

	static final ScalarType INTEGER = new ScalarType(int.class, int.class, "writeInt32", "takeInt32",
			WireFormat.WIRETYPE_VARINT) {
		@Override
		public void write(ProtostuffOutput out, int number, Object value) {
			out.writeInt32(number, (Integer) value);
		}

		@Override
		public Object read(ProtostuffInput in) {
			return in.readInt32();
		}

		@Override
		void writeElements(ProtostuffOutput out, Object array) {
			for (int each : (int[]) array) {
				out.writeInt32(ArrayType.ELEMENT, each);
			}
		}

		@Override
		void readElements(ProtostuffInput in, Object array) {
			int[] elements = (int[]) array;
			for (int i = 0; i < elements.length; i++) {
				elements[i] = next(in).readInt32();
			}
		}

	};

	static final ScalarType LONG = new ScalarType(long.class, long.class, "writeInt64", "takeInt64",
			WireFormat.WIRETYPE_VARINT) {
		@Override
		public void write(ProtostuffOutput out, int number, Object value) {
			out.writeInt64(number, (Long) value);
		}

		@Override
		public Object read(ProtostuffInput in) {
			return in.readLargeInt64();
		}

		@Override
		void writeElements(ProtostuffOutput out, Object array) {
			for (long each : (long[]) array) {
				out.writeInt64(ArrayType.ELEMENT, each);
			}
		}

		@Override
		void readElements(ProtostuffInput in, Object array) {
			long[] elements = (long[]) array;
			for (int i = 0; i < elements.length; i++) {
				elements[i] = next(in).readInt64();
			}
		}

	};

	private static final ScalarType BOOLEAN = new ScalarType(boolean.class, boolean.class, "writeBool", "takeBool",
			WireFormat.WIRETYPE_VARINT) {
		@Override
		public void write(ProtostuffOutput out, int number, Object value) {
			out.writeBool(number, (Boolean) value);
		}

		@Override
		public Object read(ProtostuffInput in) {
			return in.readBool();
		}

		@Override
		void writeElements(ProtostuffOutput out, Object array) {
			for (boolean each : (boolean[]) array) {
				out.writeBool(ArrayType.ELEMENT, each);
			}
		}

		@Override
		void readElements(ProtostuffInput in, Object array) {
			boolean[] elements = (boolean[]) array;
			for (int i = 0; i < elements.length; i++) {
				elements[i] = next(in).readBool();
			}
		}

	};

	private static final ScalarType FLOAT = new ScalarType(float.class, float.class, "writeFloat", "takeFloat",
			WireFormat.WIRETYPE_FIXED32) {
		@Override
		public void write(ProtostuffOutput out, int number, Object value) {
			out.writeFloat(number, (Float) value);
		}

		@Override
		public Object read(ProtostuffInput in) {
			return in.readFloat();
		}

		@Override
		void writeElements(ProtostuffOutput out, Object array) {
			for (float each : (float[]) array) {
				out.writeFloat(ArrayType.ELEMENT, each);
			}
		}

		@Override
		void readElements(ProtostuffInput in, Object array) {
			float[] elements = (float[]) array;
			for (int i = 0; i < elements.length; i++) {
				elements[i] = next(in).readFloat();
			}
		}

	};

	private static final ScalarType DOUBLE = new ScalarType(double.class, double.class, "writeDouble", "takeDouble",
			WireFormat.WIRETYPE_FIXED64) {
		@Override
		public void write(ProtostuffOutput out, int number, Object value) {
			out.writeDouble(number, (Double) value);
		}

		@Override
		public Object read(ProtostuffInput in) {
			return in.readDouble();
		}

		@Override
		void writeElements(ProtostuffOutput out, Object array) {
			for (double each : (double[]) array) {
				out.writeDouble(ArrayType.ELEMENT, each);
			}
		}

		@Override
		void readElements(ProtostuffInput in, Object array) {
			double[] elements = (double[]) array;
			for (int i = 0; i < elements.length; i++) {
				elements[i] = next(in).readDouble();
			}
		}

	};

	static final List<ScalarType> ALL = List.of(BYTE, SHORT, CHAR, INTEGER, LONG, BOOLEAN, FLOAT, DOUBLE);

	private final Class<?> primitive;

	/** Type of the number in the methods {@link #writer} and {@link #taker}. */
	public final Class<?> carrier;

	/** Name of the method of {@code ProtostuffOutput} that writes a field. */
	public final String writer;

	/** Name of the method of {@code ProtostuffInput} that reads a field if it is next. */
	public final String taker;

	private ScalarType(Class<?> primitive, Class<?> carrier, String writer, String taker, int wireType) {
		super(wireType, (primitive == boolean.class) ? 0 : ReadBudget.BOX);
		this.primitive = primitive;
		this.carrier = carrier;
		this.writer = writer;
		this.taker = taker;
	}

	/**
	 * Writes the elements of an array of the primitive. An array of bytes is a
	 * {@link BytesType}.
	 */
	void writeElements(ProtostuffOutput out, Object array) {
		throw new IllegalStateException("bytes are no elements");
	}

	/** Fills an array with elements. */
	void readElements(ProtostuffInput in, Object array) {
		throw new IllegalStateException("bytes are no elements");
	}

	/** Reads the tag of the next element, which must be there. */
	final ProtostuffInput next(ProtostuffInput in) {
		if (!in.tryTag(WireFormat.makeTag(ArrayType.ELEMENT, wireType()))) {
			throw ArrayType.missing(in);
		}
		return in;
	}

	Class<?> primitive() {
		return this.primitive;
	}

	static ScalarType of(Class<?> primitive) {
		return ALL.stream().filter((each) -> each.primitive == primitive).findFirst().orElseThrow();
	}

}
