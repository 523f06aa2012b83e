package io.rpcboot.serialization.fory;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * A decimal as its scale and its digits. Fory's own serializer bounds the scale.
 */
final class ForyDecimal extends ForyType {

	private static final int MAX_BITS = 4096;

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
		BigDecimal decimal = requireDigits((BigDecimal) value);
		out.buffer.writeVarInt32(decimal.scale());
		out.value(this.digits, decimal.unscaledValue());
	}

	@Override
	Object read(ForyInput in) {
		int scale = in.buffer.readVarInt32();
		return requireDigits(new BigDecimal((BigInteger) in.value(this.digits), scale));
	}

	/** Comparing long decimals, as sorted sets do, takes too much time. */
	private static BigDecimal requireDigits(BigDecimal value) {
		if (value.unscaledValue().bitLength() > MAX_BITS) {
			throw new ForyFailure("a BigDecimal of %d bits (expected: at most %d, about 1,200 digits)"
				.formatted(value.unscaledValue().bitLength(), MAX_BITS));
		}
		return value;
	}

}
