package io.rpcboot.serialization.protostuff;

import java.util.Map;

import io.protostuff.WireFormat;

import io.rpcboot.serialization.contract.TypeRef;

/**
 * A number that the writer declares as another type than the reader. What does not fit is
 * an error of the value, so an {@code int} may become a {@code long} and back while old
 * and new callers run side by side.
 */
final class ConvertedNumber extends ValueType {

	private static final String FLOAT = "java.lang.Float";

	private static final Map<String, String> BOXES = Map.of("byte", "java.lang.Byte", "short", "java.lang.Short", "int",
			"java.lang.Integer", "long", "java.lang.Long", "float", FLOAT, "double", "java.lang.Double", "boolean",
			"java.lang.Boolean", "char", "java.lang.Character");

	private final TypeRef written;

	private final TypeRef read;

	private ConvertedNumber(TypeRef written, TypeRef read) {
		super(boxed(written).equals(FLOAT) ? WireFormat.WIRETYPE_FIXED32 : WireFormat.WIRETYPE_VARINT);
		this.written = written;
		this.read = read;
	}

	/** The box of a primitive type; any other type is its own. */
	private static String boxed(TypeRef type) {
		return BOXES.getOrDefault(type.name(), type.name());
	}

	/**
	 * What reads a number or whatever else is the same on both sides.
	 * @param own the type as it is
	 * @param read how this side declares it
	 * @param written how the writer does
	 */
	static ValueType of(ValueType own, TypeRef read, TypeRef written, Translator translator) {
		if (written.equals(read) || boxed(written).equals(boxed(read))) {
			return own;
		}
		boolean isWidened = boxed(written).equals(FLOAT) && boxed(read).equals("java.lang.Double");
		if (!isWidened && !(isInteger(written) && isInteger(read))) {
			throw translator.unreadable(written, read);
		}
		return new ConvertedNumber(written, read);
	}

	private static boolean isInteger(TypeRef type) {
		return switch (boxed(type)) {
			case "java.lang.Byte", "java.lang.Short", "java.lang.Integer", "java.lang.Long" -> true;
			default -> false;
		};
	}

	@Override
	void write(ProtostuffOutput out, int number, Object value) {
		throw new IllegalStateException("a translated type only reads");
	}

	@Override
	Object read(ProtostuffInput in) {
		return switch (boxed(this.written)) {
			case FLOAT -> (double) NumberInput.readFloat(in);
			case "java.lang.Byte" -> convert(Narrow.BYTE.require(in.readUInt32()));
			case "java.lang.Short" -> convert(Narrow.SHORT.require(in.readUInt32()));
			default -> convert(in.readInt64());
		};
	}

	private Object convert(long value) {
		switch (boxed(this.read)) {
			case "java.lang.Byte" -> {
				if (value == (byte) value) {
					return (byte) value;
				}
			}
			case "java.lang.Short" -> {
				if (value == (short) value) {
					return (short) value;
				}
			}
			case "java.lang.Integer" -> {
				if (value == (int) value) {
					return (int) value;
				}
			}
			default -> {
				return value;
			}
		}
		throw new PathException("number %d, which the other side declares as %s (expected: %s)".formatted(value,
				this.written, this.read));
	}

	@Override
	TypeRef ref() {
		return this.read;
	}

}
