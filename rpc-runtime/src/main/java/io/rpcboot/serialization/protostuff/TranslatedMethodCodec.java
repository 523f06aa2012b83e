package io.rpcboot.serialization.protostuff;

import java.util.function.Supplier;

import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.contract.ContractMethod;

import org.jspecify.annotations.Nullable;

/**
 * The serialization of one method for a peer with another contract: writes as always,
 * reads the peer's layout. What reads is built by the first message, because most methods
 * are never called by most peers.
 */
final class TranslatedMethodCodec implements MethodCodec {

	private final ProtostuffMethodCodec own;

	private final MethodParts parts;

	private final ContractMethod peer;

	private final Translator translator;

	private volatile @Nullable ProtostuffMethodCodec arguments;

	private volatile @Nullable ProtostuffMethodCodec replies;

	TranslatedMethodCodec(ProtostuffMethodCodec own, MethodParts parts, ContractMethod peer, Translator translator) {
		this.own = own;
		this.parts = parts;
		this.peer = peer;
		this.translator = translator;
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

	private ProtostuffMethodCodec arguments() {
		ProtostuffMethodCodec known = this.arguments;
		if (known == null) {
			known = build("arguments", () -> this.parts.argumentsOf(this.peer, this.translator));
			this.arguments = known;
		}
		return known;
	}

	private ProtostuffMethodCodec replies() {
		ProtostuffMethodCodec known = this.replies;
		if (known == null) {
			known = build("result", () -> this.parts.repliesOf(this.peer, this.translator));
			this.replies = known;
		}
		return known;
	}

	private ProtostuffMethodCodec build(String what, Supplier<ProtostuffMethodCodec> parts) {
		try {
			return this.translator.build(parts);
		}
		catch (PathException ex) {
			throw PathException.failure(this.parts.method(), what, ex);
		}
	}

}
