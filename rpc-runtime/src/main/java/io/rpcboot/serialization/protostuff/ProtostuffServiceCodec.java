package io.rpcboot.serialization.protostuff;

import java.util.List;

import io.rpcboot.serialization.ContractHash;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.ServiceCodec;

/**
 * The codecs of the methods of one service, and the text of the contract that they are
 * made for.
 *
 * @param contract the text; equal texts mean equal bytes
 * @param hash over the text
 * @param methods each at the index of its number
 */
record ProtostuffServiceCodec(String contract, ContractHash hash, List<MethodCodec> methods) implements ServiceCodec {

	@Override
	public MethodCodec method(int number) {
		return this.methods.get(number);
	}

}
