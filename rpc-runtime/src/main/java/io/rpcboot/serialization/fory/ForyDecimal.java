package io.rpcboot.serialization.fory;

import java.math.BigDecimal;
import java.math.BigInteger;

import io.rpcboot.serialization.protostuff.ValueForms;

/**
 * A decimal as its scale and its digits. Fory's own serializer bounds the scale.
 */
final class ForyDecimal extends ForyType {

	private static final int DECIMAL = 40;

	private final int digits;

	/**
	 * Create a type.
	 * @param digits the index of the serializer of integers
	 */
	ForyDecimal(int digits) {
		super(BigDecimal.class);
		this.digits = digits;
	}

	@Override
	void write(ForyOutput out, Object value) {
		requireExactly(javaType(), value);
		BigDecimal decimal = ValueForms.requireFewDigits((BigDecimal) value);
		out.buffer.writeVarInt32(decimal.scale());
		out.value(this.digits, decimal.unscaledValue());
	}

	@Override
	Object read(ForyInput in) {
		in.budget.charge(DECIMAL);
		int scale = in.buffer.readVarInt32();
		return ValueForms.requireFewDigits(new BigDecimal((BigInteger) in.value(this.digits), scale));
	}

}
