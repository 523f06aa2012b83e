package io.rpcboot.serialization.protostuff;

import java.io.IOException;

import io.protostuff.runtime.Delegate;

import io.rpcboot.serialization.types.PathException;

/**
 * A type whose values a {@link Delegate} writes and reads.
 */
final class DelegateType extends ValueType {

	private static final int WEIGHT = 72;

	private final Delegate<Object> delegate;

	@SuppressWarnings("unchecked")
	DelegateType(Delegate<?> delegate) {
		super(delegate.getFieldType(), WEIGHT);
		this.delegate = (Delegate<Object>) delegate;
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

}
