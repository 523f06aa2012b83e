package io.rpcboot.serialization.protostuff;

/**
 * The integers narrower than {@code int}: an unsigned 32-bit varint on the wire, as
 * protostuff-runtime has it.
 */
enum Narrow {

	BYTE(Byte.class, Byte.MIN_VALUE, Byte.MAX_VALUE),

	SHORT(Short.class, Short.MIN_VALUE, Short.MAX_VALUE),

	CHAR(Character.class, Character.MIN_VALUE, Character.MAX_VALUE);

	final Class<?> boxed;

	private final int lowest;

	private final int highest;

	Narrow(Class<?> boxed, int lowest, int highest) {
		this.boxed = boxed;
		this.lowest = lowest;
		this.highest = highest;
	}

	int require(int value) {
		if (value < this.lowest || value > this.highest) {
			throw new PathException("number %d (expected: a %s)".formatted(value, this.boxed.getName()));
		}
		return value;
	}

	Object box(int value) {
		return switch (this) {
			case BYTE -> Byte.valueOf((byte) value);
			case SHORT -> Short.valueOf((short) value);
			case CHAR -> Character.valueOf((char) value);
		};
	}

	static int unbox(Object value) {
		return (value instanceof Character character) ? character : ((Number) value).intValue();
	}

}
