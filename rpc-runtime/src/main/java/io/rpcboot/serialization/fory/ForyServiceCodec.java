package io.rpcboot.serialization.fory;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.TranslatedMethodCodec;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractMethod;
import io.rpcboot.serialization.protostuff.ServiceTypes;

/**
 * The codecs of the methods of one service.
 */
final class ForyServiceCodec implements ServiceCodec {

	private final ForyEngine.Pool engines;

	private final ServiceTypes types;

	private final List<String> names;

	private final List<ForyMethodCodec> methods = new ArrayList<>();

	ForyServiceCodec(ServiceDescriptor service, ServiceTypes types, ForyEngine.Pool engines) {
		this.engines = engines;
		this.types = types;
		this.names = service.methods().stream().map(Object::toString).toList();
		ForyTypes linker = new ForyTypes(types, types.contract());
		for (ContractMethod each : types.contract().methods()) {
			this.methods.add(arguments(each.number(), each, linker).withReplies(replies(each.number(), each, linker)));
		}
	}

	private ForyMethodCodec arguments(int number, ContractMethod written, ForyTypes linker) {
		return ForyMethodCodec.ofArguments(this.engines, this.names.get(number), contract().methods().get(number),
				written, linker);
	}

	private ForyMethodCodec replies(int number, ContractMethod written, ForyTypes linker) {
		return ForyMethodCodec.ofReplies(this.engines, this.names.get(number), this.types,
				contract().methods().get(number), written, linker);
	}

	@Override
	public Contract contract() {
		return this.types.contract();
	}

	@Override
	public MethodCodec method(int number) {
		return this.methods.get(number);
	}

	@Override
	public Translation translate(Contract peer) {
		ForyTypes linker = new ForyTypes(this.types, peer);
		return (number, peerNumber) -> {
			ContractMethod written = peer.methods().get(peerNumber);
			return new TranslatedMethodCodec(this.methods.get(number), () -> {
				synchronized (linker) {
					return arguments(number, written, linker);
				}
			}, () -> {
				synchronized (linker) {
					return replies(number, written, linker);
				}
			});
		};
	}

}
