package io.rpcboot.serialization;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * The serialization of one method for a peer with another contract: writes as always,
 * reads the peer's layout. What reads is built by the first message, because most methods
 * are never called by most peers. Thread-safe.
 */
public final class TranslatedMethodCodec implements MethodCodec {

	private final MethodCodec own;

	private final Supplier<? extends MethodCodec> argumentsBuilder;

	private final Supplier<? extends MethodCodec> repliesBuilder;

	private volatile @Nullable MethodCodec arguments;

	private volatile @Nullable MethodCodec replies;

	/**
	 * Create a codec.
	 * @param own writes
	 * @param arguments builds what reads the peer's arguments. May be asked by several
	 * threads at once, and again after it has thrown; what it throws reaches the caller
	 * @param replies builds in the same way what reads the peer's results and exceptions
	 */
	public TranslatedMethodCodec(MethodCodec own, Supplier<? extends MethodCodec> arguments,
			Supplier<? extends MethodCodec> replies) {
		this.own = own;
		this.argumentsBuilder = arguments;
		this.repliesBuilder = replies;
	}

	@Override
	public void serializeArguments(@Nullable Object @Nullable [] arguments, OutputBuffer out) {
		this.own.serializeArguments(arguments, out);
	}

	@Override
	public @Nullable Object[] deserializeArguments(byte[] source, int offset, int length) {
		MethodCodec known = this.arguments;
		if (known == null) {
			known = this.argumentsBuilder.get();
			this.arguments = known;
		}
		return known.deserializeArguments(source, offset, length);
	}

	@Override
	public void serializeResult(@Nullable Object result, OutputBuffer out) {
		this.own.serializeResult(result, out);
	}

	@Override
	public @Nullable Object deserializeResult(byte[] source, int offset, int length) {
		return replies().deserializeResult(source, offset, length);
	}

	@Override
	public boolean serializeException(Throwable thrown, OutputBuffer out) {
		return this.own.serializeException(thrown, out);
	}

	@Override
	public Throwable deserializeException(byte[] source, int offset, int length) {
		return replies().deserializeException(source, offset, length);
	}

	private MethodCodec replies() {
		MethodCodec known = this.replies;
		if (known == null) {
			known = this.repliesBuilder.get();
			this.replies = known;
		}
		return known;
	}

}
