package io.rpcboot.serialization.protostuff;

import java.util.List;

import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.contract.Contract;

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
		return (number, peerNumber) -> new TranslatedMethodCodec(this.methods.get(number), this.parts.get(number),
				peer.methods().get(peerNumber), translator);
	}

}
