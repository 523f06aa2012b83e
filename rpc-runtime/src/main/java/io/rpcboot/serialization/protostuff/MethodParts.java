package io.rpcboot.serialization.protostuff;

import io.rpcboot.serialization.contract.ContractMethod;
import io.rpcboot.serialization.contract.TypeRef;
import io.rpcboot.serialization.protostuff.ProtostuffMethodCodec.Slot;

import org.jspecify.annotations.Nullable;

/**
 * What a method's codec is made of. A side reads either arguments or replies and only
 * that was found to be readable, so each is translated by itself.
 *
 * @param method for messages
 * @param parameters numbered from 1
 * @param result null for a method without one
 * @param exceptions of the throws clause
 */
record MethodParts(String method, Slot[] parameters, @Nullable Slot result, DeclaredExceptions exceptions) {

	ProtostuffMethodCodec codec() {
		return new ProtostuffMethodCodec(this.method, this.parameters, this.result, this.exceptions);
	}

	/** What reads the arguments that a peer writes. */
	ProtostuffMethodCodec argumentsOf(ContractMethod peer, Translator translator) {
		Slot[] translated = new Slot[this.parameters.length];
		for (int i = 0; i < translated.length; i++) {
			translated[i] = this.parameters[i].translate(peer.parameters().get(i), translator);
		}
		return new ProtostuffMethodCodec(this.method, translated, this.result, this.exceptions);
	}

	/** What reads the results and exceptions that a peer writes. */
	ProtostuffMethodCodec repliesOf(ContractMethod peer, Translator translator) {
		return new ProtostuffMethodCodec(this.method, this.parameters, resultOf(peer.result(), translator),
				this.exceptions.translate(peer.exceptions(), translator));
	}

	private @Nullable Slot resultOf(TypeRef written, Translator translator) {
		if (this.result != null) {
			return this.result.translate(written, translator);
		}
		return written.equals(TypeRef.VOID) ? null : new Slot(1, "", new SkippedType(), false, TypeRef.VOID);
	}

}
