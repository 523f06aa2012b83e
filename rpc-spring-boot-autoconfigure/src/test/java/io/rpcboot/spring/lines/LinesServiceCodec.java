package io.rpcboot.spring.lines;

import java.util.List;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.contract.Contract;

/** The codecs of the methods of one service. */
final class LinesServiceCodec implements ServiceCodec {

	private final List<MethodDescriptor> methods;

	private final Contract contract;

	LinesServiceCodec(ServiceDescriptor service) {
		this.methods = service.methods();
		this.contract = new LinesContract().of(this.methods);
	}

	@Override
	public Contract contract() {
		return this.contract;
	}

	@Override
	public MethodCodec method(int number) {
		return new LinesMethodCodec(this.methods.get(number), this.contract, this.contract, number);
	}

	@Override
	public Translation translate(Contract peer) {
		return (number, peerNumber) -> new LinesMethodCodec(this.methods.get(number), this.contract, peer, peerNumber);
	}

}
