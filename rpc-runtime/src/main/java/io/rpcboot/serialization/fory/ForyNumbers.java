package io.rpcboot.serialization.fory;

import java.lang.reflect.Array;
import java.util.Map;
import java.util.Objects;

import io.rpcboot.serialization.protostuff.ReadBudget;

import org.jspecify.annotations.Nullable;

/**
 * An array of numbers that its writer declares as an array of other numbers, or of boxes
 * where this side has primitives. It only reads.
 */
final class ForyNumbers extends ForyType {

	/** Of each number its box, the other that it is converted to, and itself. */
	private static final int BOX_AND_NUMBER = 2 * ReadBudget.BOX + Long.BYTES;

	private final ForyType reader;

	private final ForyScalar number;

	private ForyNumbers(ForyScalar number, ForyType reader) {
		super(number.declared().arrayType());
		this.number = number;
		this.reader = reader;
	}

	/**
	 * Create a type; null if both are no arrays of numbers, or arrays of boxes, which are
	 * read as any other array.
	 */
	static @Nullable ForyNumbers of(String own, String written, Map<String, ForyType> values) {
		ForyScalar number = ForyScalar.of(own, written);
		ForyType primitives = values.get(written + "[]");
		if (number == null || (primitives == null && !number.declared().isPrimitive())) {
			return null;
		}
		ForyScalar box = Objects.requireNonNull(ForyScalar.of(written, written));
		return new ForyNumbers(number, (primitives != null) ? primitives : new ForyArray(box.declared(), box));
	}

	@Override
	void write(ForyOutput out, Object value) {
		throw new IllegalStateException("a translated array only reads");
	}

	@Override
	Object read(ForyInput in) {
		Object source = Objects.requireNonNull(this.reader.read(in));
		int length = Array.getLength(source);
		in.budget.charge(ReadBudget.OBJECT + (long) BOX_AND_NUMBER * length);
		Object array = Array.newInstance(javaType().getComponentType(), length);
		for (int i = 0; i < length; i++) {
			try {
				Array.set(array, i, this.number.convert(Array.get(source, i)));
			}
			catch (RuntimeException ex) {
				throw ForyFailure.at("[" + i + "]", ex);
			}
		}
		return array;
	}

}
