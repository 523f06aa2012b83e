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

	private static final Map<String, String> BOXES = Map.of("byte", "java.lang.Byte", "short", "java.lang.Short", "int",
			"java.lang.Integer", "long", "java.lang.Long", "float", "java.lang.Float", "double", "java.lang.Double",
			"boolean", "java.lang.Boolean", "char", "java.lang.Character");

	private final TypeRef written;

	private final TypeRef read;

	private ConvertedNumber(TypeRef written, TypeRef read) {
		super((written.name().equals("java.lang.Float")) ? WireFormat.WIRETYPE_FIXED32 : WireFormat.WIRETYPE_VARINT);
		this.written = written;
		this.read = read;
	}

	/** The box of a primitive type; any other type as it is. */
	static TypeRef boxed(TypeRef type) {
		String box = BOXES.get(type.name());
		return (box != null) ? TypeRef.of(box) : type;
	}

	static ValueType of(TypeRef written, TypeRef read, Translator translator) {
		TypeRef from = boxed(written);
		TypeRef to = boxed(read);
		boolean isWidened = from.name().equals("java.lang.Float") && to.name().equals("java.lang.Double");
		if (!isWidened && !(isInteger(from) && isInteger(to))) {
			throw translator.unreadable(written, read);
		}
		return new ConvertedNumber(from, to);
	}

	private static boolean isInteger(TypeRef type) {
		return switch (type.name()) {
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
		return switch (this.written.name()) {
			case "java.lang.Float" -> (double) NumberInput.readFloat(in);
			case "java.lang.Byte" -> convert(Narrow.BYTE.require(in.readUInt32()));
			case "java.lang.Short" -> convert(Narrow.SHORT.require(in.readUInt32()));
			default -> convert(in.readInt64());
		};
	}

	private Object convert(long value) {
		switch (this.read.name()) {
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
		throw new PathException("number %d, which the other side declares as %s (expected: a %s)".formatted(value,
				this.written, this.read));
	}

	@Override
	TypeRef ref() {
		return this.read;
	}

}
