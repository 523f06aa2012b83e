package io.rpcboot.serialization.jackson;

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
final class JsonServiceCodec implements ServiceCodec {

	private final JsonFormat format = new JsonFormat();

	private final ServiceTypes types;

	private final List<String> names;

	private final List<JsonMethodCodec> methods = new ArrayList<>();

	JsonServiceCodec(ServiceDescriptor service, ServiceTypes types) {
		this.types = types;
		this.names = service.methods().stream().map(Object::toString).toList();
		JsonTypes linked = new JsonTypes(types, types.contract());
		for (ContractMethod each : types.contract().methods()) {
			this.methods.add(arguments(each.number(), each, linked).withReplies(replies(each.number(), each, linked)));
		}
	}

	private JsonMethodCodec arguments(int number, ContractMethod written, JsonTypes linked) {
		return JsonMethodCodec.ofArguments(this.format, this.names.get(number), contract().methods().get(number),
				written, linked);
	}

	private JsonMethodCodec replies(int number, ContractMethod written, JsonTypes linked) {
		return JsonMethodCodec.ofReplies(this.format, this.names.get(number), this.types,
				contract().methods().get(number), written, linked);
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
		JsonTypes linked = new JsonTypes(this.types, peer);
		return (number, peerNumber) -> {
			ContractMethod written = peer.methods().get(peerNumber);
			return new TranslatedMethodCodec(this.methods.get(number), () -> {
				synchronized (linked) {
					return arguments(number, written, linked);
				}
			}, () -> {
				synchronized (linked) {
					return replies(number, written, linked);
				}
			});
		};
	}

}
