package io.rpcboot.internal.serialization.types;

import java.util.function.Supplier;

import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Codec of one method for a peer with another contract: writes the own layout, reads the
 * peer's. The first message builds the reader, because most peers call few methods. A
 * failure to build it reaches the caller, and the next message tries again. Thread-safe.
 */
final class PeerMethodCodec implements MethodCodec {

	private final MethodCodec own;

	private final Supplier<MethodCodec> argumentsBuilder;

	private final Supplier<MethodCodec> repliesBuilder;

	private volatile @Nullable MethodCodec arguments;

	private volatile @Nullable MethodCodec replies;

	PeerMethodCodec(MethodCodec own, Supplier<MethodCodec> arguments, Supplier<MethodCodec> replies) {
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
		return arguments().deserializeArguments(source, offset, length);
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

	private MethodCodec arguments() {
		MethodCodec known = this.arguments;
		if (known == null) {
			known = this.argumentsBuilder.get();
			this.arguments = known;
		}
		return known;
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
