package io.rpcboot.internal.call;

import java.util.function.Supplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Codec of a method with a context parameter, which is no part of the contract: not sent
 * by the client, and supplied by the server.
 */
public final class ContextParameterCodec implements MethodCodec {

	private final MethodCodec codec;

	private final int index;

	private final Supplier<? extends @Nullable Object> context;

	private ContextParameterCodec(MethodCodec codec, int index, Supplier<? extends @Nullable Object> context) {
		this.codec = codec;
		this.index = index;
		this.context = context;
	}

	/**
	 * Returns the codec of a method as its interface declares it.
	 * @param codec codec of the contract
	 * @param context supplies the context of the call that the calling thread serves
	 * @return {@code codec} if the method has no context parameter
	 */
	public static MethodCodec of(MethodDescriptor method, MethodCodec codec,
			Supplier<? extends @Nullable Object> context) {
		int index = method.contextParameter();
		return (index < 0) ? codec : new ContextParameterCodec(codec, index, context);
	}

	@Override
	public void serializeArguments(@Nullable Object @Nullable [] arguments, OutputBuffer out) {
		if (arguments == null || arguments.length <= this.index) {
			this.codec.serializeArguments(arguments, out); // throws
			return;
		}
		@Nullable Object[] carried = new @Nullable Object[arguments.length - 1];
		System.arraycopy(arguments, 0, carried, 0, this.index);
		System.arraycopy(arguments, this.index + 1, carried, this.index, carried.length - this.index);
		this.codec.serializeArguments(carried, out);
	}

	/** Called by the thread that serves the call. */
	@Override
	public @Nullable Object[] deserializeArguments(byte[] source, int offset, int length) {
		@Nullable Object[] carried = this.codec.deserializeArguments(source, offset, length);
		@Nullable Object[] arguments = new @Nullable Object[carried.length + 1];
		System.arraycopy(carried, 0, arguments, 0, this.index);
		arguments[this.index] = this.context.get();
		System.arraycopy(carried, this.index, arguments, this.index + 1, carried.length - this.index);
		return arguments;
	}

	@Override
	public void serializeElement(Object element, OutputBuffer out) {
		this.codec.serializeElement(element, out);
	}

	@Override
	public @Nullable Object deserializeElement(byte[] source, int offset, int length) {
		return this.codec.deserializeElement(source, offset, length);
	}

	@Override
	public void serializeResult(@Nullable Object result, OutputBuffer out) {
		this.codec.serializeResult(result, out);
	}

	@Override
	public @Nullable Object deserializeResult(byte[] source, int offset, int length) {
		return this.codec.deserializeResult(source, offset, length);
	}

	@Override
	public boolean serializeException(Throwable thrown, OutputBuffer out) {
		return this.codec.serializeException(thrown, out);
	}

	@Override
	public Throwable deserializeException(byte[] source, int offset, int length) {
		return this.codec.deserializeException(source, offset, length);
	}

}
