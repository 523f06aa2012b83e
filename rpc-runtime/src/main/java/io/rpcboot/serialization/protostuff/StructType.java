package io.rpcboot.serialization.protostuff;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import io.protostuff.WireFormat;

/**
 * A class with fields: the schema of one bean or record, its type arguments resolved. On
 * the wire a group whose fields rise by number, so that a field that is absent is noticed
 * in passing. A class is linked to its fields after it was made, because a field may hold
 * the class itself.
 */
abstract class StructType extends ValueType {

	static final Field[] NO_FIELDS = {};

	private final ResolvedType type;

	private Field[] fields = NO_FIELDS;

	StructType(ResolvedType type) {
		super(WireFormat.WIRETYPE_START_GROUP);
		this.type = type;
	}

	void link(List<Field> ascending) {
		this.fields = ascending.toArray(NO_FIELDS);
	}

	final Field[] fields() {
		return this.fields;
	}

	final Class<?> javaType() {
		return this.type.raw();
	}

	/** Read fields until the tag that ends them. */
	abstract Object readFields(ProtostuffInput in, int end);

	@Override
	final void write(ProtostuffOutput out, int number, Object value) {
		if (value.getClass() != this.type.raw()) {
			throw new PathException(
					"%s where %s is declared (expected: exactly the declared class, or fields would be lost)"
						.formatted(value.getClass().getName(), this.type.raw().getName()));
		}
		out.startGroup(number);
		writeFields(out, value);
		out.endGroup(number);
	}

	final void writeFields(ProtostuffOutput out, Object instance) {
		int index = 0;
		try {
			for (; index < this.fields.length; index++) {
				this.fields[index].write(out, instance);
			}
		}
		catch (RuntimeException ex) {
			throw PathException.at("." + this.fields[index].name, ex);
		}
	}

	@Override
	final Object read(ProtostuffInput in) {
		int end = in.enter();
		Object value = readFields(in, end);
		in.leave();
		return value;
	}

	final PathException unknown(int tag) {
		return new PathException("unknown field number %d of %s (expected: rising numbers of %s)".formatted(
				WireFormat.getTagFieldNumber(tag), this.type,
				Arrays.stream(this.fields)
					.map((field) -> String.valueOf(field.number))
					.collect(Collectors.joining(", "))));
	}

	@Override
	final String contract() {
		return this.type.toString();
	}

	/** The lines of the class in the text of the contract. */
	final String definition() {
		return Arrays.stream(this.fields)
			.map((field) -> "\n  " + field.contract())
			.collect(Collectors.joining("", kind() + " " + contract(), ""));
	}

	abstract String kind();

}
