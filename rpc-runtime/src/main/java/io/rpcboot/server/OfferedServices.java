package io.rpcboot.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.ServiceId;
import io.rpcboot.internal.protocol.Bind;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.RpcMetrics.Side;
import io.rpcboot.serialization.contract.ContractHash;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.server.ServerCall.ServerMethod;

/** What a server offers. Immutable. */
final class OfferedServices {

	private final Map<String, Offer> offers = new LinkedHashMap<>();

	OfferedServices(Map<ServiceDescriptor, Supplier<?>> services, Serializer serializer, RpcMetrics metrics) {
		services.forEach((service, implementation) -> {
			ServiceCodec codec = serializer.codec(service);
			List<ServerMethod> methods = new ArrayList<>();
			for (MethodDescriptor method : service.methods()) {
				methods.add(new ServerMethod(method, method.method(), method.style() == Style.FUTURE,
						codec.method(method.number()), implementation,
						metrics.isNone() ? null : metrics.calls(Side.SERVER, method), new LongAdder()));
			}
			this.offers.put(service.id().toString(), new Offer(service, codec.contract().hash(), methods));
		});
	}

	/** A service with its methods at the index of their numbers. */
	private record Offer(ServiceDescriptor service, ContractHash hash, List<ServerMethod> methods) {
	}

	/**
	 * The answer to a BIND.
	 *
	 * @param status OK or why not
	 * @param message why not, for people
	 * @param methods the methods, empty if refused
	 */
	record Answer(RpcStatus status, String message, List<ServerMethod> methods) {
	}

	Answer answer(Bind bind) {
		Offer offer = this.offers.get(bind.service());
		if (offer == null) {
			String offered = this.offers.isEmpty() ? "none" : String.join(", ", this.offers.keySet());
			return new Answer(RpcStatus.NOT_FOUND,
					"service %s is not offered here (offered: %s)".formatted(bind.service(), offered), List.of());
		}
		ContractHash asked = new ContractHash(bind.hashHigh(), bind.hashLow());
		if (!asked.equals(offer.hash()) || bind.methods() != offer.methods().size()) {
			return new Answer(RpcStatus.FAILED_PRECONDITION,
					("service %s: client and server have different versions of the interface or of a type in it"
							+ " (contract %s with %d methods at the client, %s with %d at the server);"
							+ " deploy the same version of the interface on both sides")
						.formatted(bind.service(), asked, bind.methods(), offer.hash(), offer.methods().size()),
					List.of());
		}
		return new Answer(RpcStatus.OK, "", offer.methods());
	}

	Set<ServiceId> ids() {
		return this.offers.values().stream().map((offer) -> offer.service().id()).collect(Collectors.toSet());
	}

	List<ServiceInfo> describe() {
		return this.offers.values()
			.stream()
			.map((offer) -> new ServiceInfo(offer.service().id(),
					offer.methods().stream().map((method) -> method.descriptor().signature()).toList(),
					offer.hash().toString(),
					offer.methods().stream().mapToLong((method) -> method.calls().sum()).sum()))
			.toList();
	}

}
