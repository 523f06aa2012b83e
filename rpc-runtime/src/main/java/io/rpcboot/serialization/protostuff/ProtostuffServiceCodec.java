package io.rpcboot.serialization.protostuff;

import java.util.List;
import java.util.function.Supplier;

import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.TranslatedMethodCodec;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractMethod;

/**
 * The codecs of the methods of one service, and the contract that they are made for.
 *
 * @param contract the contract
 * @param parts what each is made of
 * @param methods each at the index of its number
 */
record ProtostuffServiceCodec(Contract contract, List<MethodParts> parts,
		List<ProtostuffMethodCodec> methods) implements ServiceCodec {

	@Override
	public MethodCodec method(int number) {
		return this.methods.get(number);
	}

	@Override
	public Translation translate(Contract peer) {
		Translator translator = new Translator(peer);
		return (number, peerNumber) -> {
			MethodParts own = this.parts.get(number);
			ContractMethod written = peer.methods().get(peerNumber);
			return new TranslatedMethodCodec(this.methods.get(number),
					() -> build(translator, own, "arguments", () -> own.argumentsOf(written, translator)),
					() -> build(translator, own, "result", () -> own.repliesOf(written, translator)));
		};
	}

	private static ProtostuffMethodCodec build(Translator translator, MethodParts own, String what,
			Supplier<ProtostuffMethodCodec> translation) {
		try {
			return translator.build(translation);
		}
		catch (PathException ex) {
			throw PathException.failure(own.method(), what, ex);
		}
	}

}
