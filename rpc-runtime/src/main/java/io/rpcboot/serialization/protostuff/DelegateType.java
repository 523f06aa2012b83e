package io.rpcboot.serialization.protostuff;

import java.io.IOException;

import io.protostuff.WireFormat;
import io.protostuff.runtime.Delegate;

/**
 * A type whose values a {@link Delegate} writes and reads.
 */
final class DelegateType extends ValueType {

	private final Delegate<Object> delegate;

	@SuppressWarnings("unchecked")
	DelegateType(Delegate<?> delegate) {
		super(wireType(delegate.getFieldType()));
		this.delegate = (Delegate<Object>) delegate;
	}

	/** Protostuff writes a message as a group. */
	private static int wireType(WireFormat.FieldType type) {
		return (type == WireFormat.FieldType.MESSAGE) ? WireFormat.WIRETYPE_START_GROUP : type.wireType;
	}

	@Override
	void write(ProtostuffOutput out, int number, Object value) {
		try {
			this.delegate.writeTo(out, number, value, false);
		}
		catch (IOException ex) {
			throw PathException.of(ex);
		}
	}

	@Override
	Object read(ProtostuffInput in) {
		try {
			return this.delegate.readFrom(in);
		}
		catch (IOException ex) {
			throw PathException.of(ex);
		}
	}

	@Override
	String contract() {
		String type = this.delegate.typeClass().getTypeName();
		return (this.delegate instanceof BuiltInDelegate) ? type
				: "%s by a delegate of %s".formatted(type, this.delegate.getFieldType());
	}

}
