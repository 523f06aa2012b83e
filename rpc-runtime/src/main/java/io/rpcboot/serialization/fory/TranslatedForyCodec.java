package io.rpcboot.serialization.fory;

import java.util.function.Supplier;

import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;

import org.jspecify.annotations.Nullable;

/**
 * Writes what the own contract says and reads what a peer's contract says. What reads is
 * linked when it is needed first.
 */
final class TranslatedForyCodec implements MethodCodec {

	private final ForyMethodCodec own;

	private final Object lock;

	private final Supplier<ForyMethodCodec> arguments;

	private final Supplier<ForyMethodCodec> replies;

	private volatile @Nullable ForyMethodCodec knownArguments;

	private volatile @Nullable ForyMethodCodec knownReplies;

	/**
	 * Create a codec.
	 * @param lock guards what the suppliers use
	 */
	TranslatedForyCodec(ForyMethodCodec own, Object lock, Supplier<ForyMethodCodec> arguments,
			Supplier<ForyMethodCodec> replies) {
		this.own = own;
		this.lock = lock;
		this.arguments = arguments;
		this.replies = replies;
	}

	@Override
	public void serializeArguments(@Nullable Object @Nullable [] arguments, OutputBuffer out) {
		this.own.serializeArguments(arguments, out);
	}

	@Override
	public @Nullable Object[] deserializeArguments(byte[] source, int offset, int length) {
		ForyMethodCodec known = this.knownArguments;
		if (known == null) {
			synchronized (this.lock) {
				known = this.arguments.get();
			}
			this.knownArguments = known;
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

	private ForyMethodCodec replies() {
		ForyMethodCodec known = this.knownReplies;
		if (known == null) {
			synchronized (this.lock) {
				known = this.replies.get();
			}
			this.knownReplies = known;
		}
		return known;
	}

}
