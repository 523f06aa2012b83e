package io.rpcboot.serialization.protostuff;

import java.lang.reflect.Array;

import io.protostuff.WireFormat;

import io.rpcboot.serialization.contract.TypeRef;

/**
 * An array of a primitive type, as protostuff-runtime writes it; see {@link ArrayType}.
 */
abstract class PrimitiveArrayType extends ValueType {

	private final Class<?> type;

	private final int elementTag;

	PrimitiveArrayType(Class<?> type, int wireType) {
		super(WireFormat.WIRETYPE_START_GROUP, 0);
		this.type = type;
		this.elementTag = WireFormat.makeTag(ArrayType.ELEMENT, wireType);
	}

	final Class<?> javaType() {
		return this.type;
	}

	@Override
	final void write(ProtostuffOutput out, int number, Object value) {
		Groups.start(out, number);
		NumberOutput.writeUInt32(out, ArrayType.LENGTH, Array.getLength(value));
		writeElements(out, value);
		Groups.end(out, number);
	}

	@Override
	final Object read(ProtostuffInput in) {
		int end = Groups.enter(in);
		int length = ArrayType.readLength(in);
		in.allowance -= Groups.ARRAY + (long) Long.BYTES * length;
		Object value = Array.newInstance(this.type.getComponentType(), length);
		readElements(in, value);
		Groups.leave(in, end);
		return value;
	}

	abstract void writeElements(ProtostuffOutput out, Object array);

	abstract void readElements(ProtostuffInput in, Object array);

	/** Read the tag of the next element. */
	final void nextElement(ProtostuffInput in) {
		if (!in.tryTag(this.elementTag)) {
			throw ArrayType.missing(in);
		}
	}

	@Override
	final TypeRef ref() {
		return TypeRef.arrayOf(TypeRef.of(this.type.getComponentType().getName()));
	}

	@Override
	final ValueType translate(TypeRef written, Translator translator) {
		if (written.equals(ref())) {
			return this;
		}
		ValueType element = ScalarTypes.of(this.type.getComponentType());
		return new UnboxedArray(this,
				new ArrayType(Object.class, element.translate(translator.argument(written, 0), translator)));
	}

	/** An array whose elements the writer declares as another type, or as boxes. */
	private static final class UnboxedArray extends ValueType {

		private final PrimitiveArrayType own;

		private final ArrayType boxed;

		UnboxedArray(PrimitiveArrayType own, ArrayType boxed) {
			super(boxed.wireType());
			this.own = own;
			this.boxed = boxed;
		}

		@Override
		void write(ProtostuffOutput out, int number, Object value) {
			throw new IllegalStateException("a translated type only reads");
		}

		@Override
		Object read(ProtostuffInput in) {
			Object[] boxes = (Object[]) this.boxed.read(in);
			Object array = Array.newInstance(this.own.javaType().getComponentType(), boxes.length);
			for (int i = 0; i < boxes.length; i++) {
				if (boxes[i] != null) {
					Array.set(array, i, boxes[i]);
				}
			}
			return array;
		}

		@Override
		TypeRef ref() {
			return this.own.ref();
		}

	}

}
