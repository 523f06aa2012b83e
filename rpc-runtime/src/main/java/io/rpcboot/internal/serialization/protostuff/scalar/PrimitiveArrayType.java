package io.rpcboot.internal.serialization.protostuff.scalar;

import java.lang.reflect.Array;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import org.jspecify.annotations.Nullable;

/**
 * Array of a primitive type, written as by protostuff-runtime; see {@link ArrayType}.
 */
public final class PrimitiveArrayType extends ValueType {

	private final ScalarType element;

	/**
	 * Reads the elements if the writer declares another number type or boxes; else null.
	 */
	private final @Nullable ArrayType boxes;

	PrimitiveArrayType(Class<?> component) {
		this(component, null);
	}

	public PrimitiveArrayType(Class<?> component, @Nullable ArrayType boxes) {
		super(WireFormat.WIRETYPE_START_GROUP, 0);
		this.element = ScalarType.of(component);
		this.boxes = boxes;
	}

	@Override
	public void write(ProtostuffOutput out, int number, Object value) {
		out.startGroup(number);
		out.writeUInt32(ArrayType.LENGTH, Array.getLength(value));
		this.element.writeElements(out, value);
		out.endGroup(number);
	}

	@Override
	public Object read(ProtostuffInput in) {
		if (this.boxes != null) {
			return unboxed(this.boxes.readElements(in));
		}
		int end = in.enterGroup();
		int length = ArrayType.readLength(in);
		in.note(ReadBudget.OBJECT + (long) Long.BYTES * length);
		Object value = Array.newInstance(this.element.primitive(), length);
		this.element.readElements(in, value);
		in.leaveGroup(end);
		return value;
	}

	private Object unboxed(@Nullable Object[] elements) {
		Object array = Array.newInstance(this.element.primitive(), elements.length);
		for (int i = 0; i < elements.length; i++) {
			Array.set(array, i, elements[i]);
		}
		return array;
	}

}
