package io.rpcboot.internal.serialization.protobuf.scalar;

import java.lang.reflect.Array;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration;
import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration.Label;
import io.rpcboot.internal.serialization.protobuf.wire.LengthGuess;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Array of a primitive other than {@code byte}: a packed field, also read unpacked. Null
 * arrives as an empty array.
 */
public final class PrimitiveArrayType extends FieldType {

	/** Heap size that is charged for an element, in bytes. */
	private static final int UNIT = Long.BYTES;

	private final Class<?> component;

	private final ScalarType element;

	private final LengthGuess guess = new LengthGuess();

	public PrimitiveArrayType(Class<?> component) {
		this.component = component;
		this.element = ScalarType.of(component);
	}

	@Override
	public void writeField(ProtobufOutput out, int number, @Nullable Object value) {
		if (value == null || Array.getLength(value) == 0) {
			return;
		}
		int reserved = out.prefix(this.guess);
		int start = out.startPacked(number, reserved);
		pack(out, value);
		out.endPacked(start, reserved, this.guess);
	}

	private void pack(ProtobufOutput out, Object array) {
		if (array instanceof int[] ints) {
			for (int each : ints) {
				out.packVarint(each);
			}
		}
		else if (array instanceof long[] longs) {
			for (long each : longs) {
				out.packVarint(each);
			}
		}
		else if (array instanceof float[] floats) {
			for (float each : floats) {
				out.packFloat(each);
			}
		}
		else if (array instanceof double[] doubles) {
			for (double each : doubles) {
				out.packDouble(each);
			}
		}
		else {
			for (int i = 0; i < Array.getLength(array); i++) {
				this.element.pack(out, Array.get(array, i));
			}
		}
	}

	@Override
	public Object readField(ProtobufInput in, int tag, @Nullable Object before) {
		if (WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_LENGTH_DELIMITED) {
			this.element.requireTag(tag);
			return readPart(in, before, in.countValues(tag), tag);
		}
		int outside = in.enterPacked();
		Object state = readPart(in, before, count(in), 0);
		in.leavePacked(outside);
		return state;
	}

	/** Reads a part. The state of the only part is its array. */
	private Object readPart(ProtobufInput in, @Nullable Object before, int more, int tag) {
		if (before == null) {
			Object array = ArrayParts.create(in, this.component, more, UNIT);
			read(in, array, 0, more, tag);
			return array;
		}
		ArrayParts parts = (before instanceof ArrayParts several) ? several : new ArrayParts(before, UNIT);
		int from = parts.length();
		read(in, parts.extend(in, more), from, from + more, tag);
		return parts;
	}

	private int count(ProtobufInput in) {
		int size = (this.component == float.class) ? Float.BYTES : (this.component == double.class) ? Double.BYTES : 0;
		int length = in.limit - in.position;
		if (size > 0 && length % size != 0) {
			throw new PathException("%d packed bytes (expected: %d for each element)".formatted(length, size));
		}
		return (size > 0) ? length / size : in.countVarints();
	}

	/**
	 * Reads elements of an array.
	 * @param tag tag in front of each element but the first; 0 for packed elements
	 */
	private void read(ProtobufInput in, Object array, int from, int to, int tag) {
		int index = from;
		try {
			for (; index < to; index++) {
				if (tag != 0 && index > from) {
					in.readTag();
				}
				read(in, array, index);
			}
		}
		catch (RuntimeException ex) {
			throw PathException.at("[" + index + "]", ex);
		}
		if (tag == 0 && in.hasMore()) {
			throw new PathException("the bytes end too early");
		}
	}

	private void read(ProtobufInput in, Object array, int index) {
		if (array instanceof int[] ints) {
			ints[index] = in.readInteger();
		}
		else if (array instanceof long[] longs) {
			longs[index] = in.readLargeInt64();
		}
		else if (array instanceof float[] floats) {
			floats[index] = in.readFloat();
		}
		else if (array instanceof double[] doubles) {
			doubles[index] = in.readDouble();
		}
		else {
			Array.set(array, index, this.element.read(in));
		}
	}

	@Override
	public Object finish(ProtobufInput in, @Nullable Object state) {
		if (state == null) {
			return ArrayParts.create(in, this.component, 0, UNIT);
		}
		return (state instanceof ArrayParts parts) ? parts.whole(in) : state;
	}

	@Override
	public FieldDeclaration declare(Declarations file, String name, int number) {
		return new FieldDeclaration(name, number, Label.REPEATED, this.element.name(file), null);
	}

}
