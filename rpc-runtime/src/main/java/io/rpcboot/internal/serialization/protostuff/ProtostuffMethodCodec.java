package io.rpcboot.internal.serialization.protostuff;

import io.rpcboot.internal.concurrent.StripedPool;
import io.rpcboot.internal.serialization.protostuff.composite.ValueSlot;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.PathException;
import io.rpcboot.serialization.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Codec of one method: reads and writes the engine's byte ranges with the types of its
 * parameters, result and exceptions. Thread-safe.
 */
final class ProtostuffMethodCodec implements MethodCodec {

	private static final @Nullable Object[] NO_ARGUMENTS = {};

	private static final StripedPool<ProtostuffInput> INPUTS = new StripedPool<>();

	private final String method;

	private final ValueSlot[] parameters;

	private final @Nullable ValueSlot result;

	private final DeclaredExceptions exceptions;

	/**
	 * Creates a codec.
	 * @param method name for messages
	 * @param parameters parameters, numbered from 1
	 * @param result result, null for a method without one
	 * @param exceptions exceptions of the throws clause
	 */
	ProtostuffMethodCodec(String method, ValueSlot[] parameters, @Nullable ValueSlot result,
			DeclaredExceptions exceptions) {
		this.method = method;
		this.parameters = parameters;
		this.result = result;
		this.exceptions = exceptions;
	}

	@Override
	public void serializeArguments(@Nullable Object @Nullable [] arguments, OutputBuffer buffer) {
		@Nullable Object[] values = (arguments == null) ? NO_ARGUMENTS : arguments;
		try {
			if (values.length != this.parameters.length) {
				throw new PathException("%d values (expected: %d)".formatted(values.length, this.parameters.length));
			}
			ProtostuffOutput out = output(buffer);
			for (int i = 0; i < values.length; i++) {
				this.parameters[i].write(out, values[i]);
			}
			out.finish();
		}
		catch (RuntimeException ex) {
			throw PathException.failure(this.method, "arguments", ex);
		}
	}

	@Override
	public @Nullable Object[] deserializeArguments(byte[] source, int offset, int length) {
		ProtostuffInput in = input(source, offset, length);
		try {
			@Nullable Object[] values = new @Nullable Object[this.parameters.length];
			for (int i = 0; i < values.length; i++) {
				values[i] = this.parameters[i].take(in);
			}
			in.finish();
			INPUTS.give(in);
			return values;
		}
		catch (RuntimeException | Error ex) {
			throw failure(in, "arguments", ex);
		}
	}

	@Override
	public void serializeResult(@Nullable Object value, OutputBuffer buffer) {
		try {
			if (this.result == null) {
				if (value != null) {
					throw new PathException("%s (expected: no result)".formatted(value.getClass().getTypeName()));
				}
				return;
			}
			ProtostuffOutput out = output(buffer);
			this.result.write(out, value);
			out.finish();
		}
		catch (RuntimeException ex) {
			throw PathException.failure(this.method, "result", ex);
		}
	}

	@Override
	public @Nullable Object deserializeResult(byte[] source, int offset, int length) {
		ProtostuffInput in = input(source, offset, length);
		try {
			Object read = (this.result == null) ? null : this.result.take(in);
			in.finish();
			INPUTS.give(in);
			return read;
		}
		catch (RuntimeException | Error ex) {
			throw failure(in, "result", ex);
		}
	}

	private SerializationException failure(ProtostuffInput in, String what, Throwable failure) {
		in.leave();
		if (failure instanceof RuntimeException exception) {
			return PathException.failure(this.method, what, exception);
		}
		throw (Error) failure;
	}

	@Override
	public boolean serializeException(Throwable thrown, OutputBuffer buffer) {
		return this.exceptions.write(thrown, buffer);
	}

	@Override
	public Throwable deserializeException(byte[] source, int offset, int length) {
		return this.exceptions.read(new ProtostuffInput(source, offset, length));
	}

	/**
	 * Returns the output that is kept with a buffer, positioned behind the content of the
	 * buffer.
	 */
	static ProtostuffOutput output(OutputBuffer buffer) {
		ProtostuffOutput out = (buffer.writer() instanceof ProtostuffOutput kept) ? kept : new ProtostuffOutput(buffer);
		buffer.writer(out);
		out.begin();
		return out;
	}

	/**
	 * Returns an input for a message. It goes back to the pool after success and is
	 * dropped after a failure.
	 */
	private static ProtostuffInput input(byte[] source, int offset, int length) {
		ProtostuffInput free = INPUTS.take();
		ProtostuffInput in = (free != null) ? free : new ProtostuffInput(source, offset, length);
		in.read(source, offset, length);
		return in;
	}

}
