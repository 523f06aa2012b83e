package io.rpcboot.internal.serialization.protostuff.scalar;

import java.util.Objects;

import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import io.rpcboot.internal.serialization.types.graph.Node.ValueNode;
import io.rpcboot.internal.serialization.types.value.Numbers;
import io.rpcboot.serialization.PathException;

/**
 * Number whose type differs between writer and reader. A value that does not fit the
 * reader's type is refused, so an {@code int} may become a {@code long} and back while
 * old and new versions run at the same time.
 */
public final class ConvertedNumber extends ValueType {

	private final ValueNode node;

	private final Class<?> box;

	private final ValueType written;

	private final String expected;

	public ConvertedNumber(ValueNode node, ValueType written) {
		this(node, written, Numbers.box(node.javaType()).getName());
	}

	private ConvertedNumber(ValueNode node, ValueType written, String expected) {
		super(written.wireType());
		this.node = node;
		this.box = Numbers.box(node.javaType());
		this.written = written;
		this.expected = expected;
	}

	/** Returns the type for a field, whose declared type may be a primitive. */
	public ConvertedNumber ofField() {
		return new ConvertedNumber(this.node, this.written, this.node.ref().toString());
	}

	@Override
	public void write(ProtostuffOutput out, int number, Object value) {
		throw new IllegalStateException("a converted number only reads");
	}

	@Override
	public Object read(ProtostuffInput in) {
		Number value = (Number) Objects.requireNonNull(this.written.read(in));
		Number converted = convert(value);
		if (converted.longValue() != value.longValue()) {
			throw new PathException("number %d, which the other side declares as %s (expected: %s)"
				.formatted(value.longValue(), this.node.written(), this.expected));
		}
		return converted;
	}

	private Number convert(Number value) {
		if (this.box == Byte.class) {
			return value.byteValue();
		}
		if (this.box == Short.class) {
			return value.shortValue();
		}
		if (this.box == Integer.class) {
			return value.intValue();
		}
		return (this.box == Long.class) ? (Number) value.longValue() : (Number) value.doubleValue();
	}

}
