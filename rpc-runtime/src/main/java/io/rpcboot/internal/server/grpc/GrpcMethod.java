package io.rpcboot.internal.server.grpc;

import java.util.List;

import io.rpcboot.ServiceId;
import io.rpcboot.internal.server.builtin.StreamHandler;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.text.PrintableText;
import org.jspecify.annotations.Nullable;

/**
 * Method with a path of gRPC: of one or more services, or of the server itself.
 * Immutable.
 */
public final class GrpcMethod {

	/** Longest version or group that a message repeats. */
	private static final int MAX_QUALIFIER = 40;

	/** Method of the only service with this path, null if there are several or none. */
	final @Nullable Invocation only;

	/** Method that the server itself offers, null for a method of a service. */
	public final @Nullable StreamHandler handler;

	/** Contract of the service. */
	public final PublishedContract contract;

	private final boolean isHosted;

	/** Methods of the services with this path, which differ in version or group. */
	private final List<Offer> offers;

	private GrpcMethod(List<Offer> offers, @Nullable StreamHandler handler, PublishedContract contract) {
		this.only = (offers.size() == 1) ? offers.get(0).method : null;
		this.isHosted = this.only != null && HostedCall.runs(this.only);
		this.handler = handler;
		this.contract = contract;
		this.offers = offers;
	}

	static GrpcMethod of(StreamHandler handler) {
		return new GrpcMethod(List.of(), handler, PublishedContract.ANY);
	}

	static GrpcMethod ofServices(List<Offer> offers, PublishedContract contract) {
		return new GrpcMethod(List.copyOf(offers), null, contract);
	}

	/**
	 * Method of one service.
	 *
	 * @param service the service
	 * @param method the method
	 */
	record Offer(ServiceId service, Invocation method) {
	}

	/** Returns true for a method that no interface declares. */
	public boolean isHosted() {
		return this.isHosted;
	}

	/**
	 * Returns the method of the service that a client names: the one whose version and
	 * group are empty where the client names none, else the only one that fits.
	 * @param version value of the metadata {@code rpc-version}, null without it
	 * @param group value of the metadata {@code rpc-group}, null without it
	 * @return null if no service fits, or several do
	 */
	public @Nullable Invocation of(@Nullable String version, @Nullable String group) {
		if (version == null && group == null && this.only != null) {
			return this.only;
		}
		Invocation fitting = null;
		int count = 0;
		for (Offer each : this.offers) {
			ServiceId service = each.service;
			if ((version != null && !version.equals(service.version()))
					|| (group != null && !group.equals(service.group()))) {
				continue;
			}
			if ((version != null || service.version().isEmpty()) && (group != null || service.group().isEmpty())) {
				return each.method;
			}
			fitting = each.method;
			count++;
		}
		return (count == 1) ? fitting : null;
	}

	/** Returns the reason why {@link #of(String, String)} has returned null. */
	public String whyNot(@Nullable String version, @Nullable String group) {
		return "metadata %s, %s (expected: version and group of one of %s)".formatted(given("rpc-version", version),
				given("rpc-group", group), ServiceId.summary(this.offers.stream().map(Offer::service).toList()));
	}

	private static String given(String name, @Nullable String value) {
		return (value != null) ? "%s '%s'".formatted(name, PrintableText.of(value, MAX_QUALIFIER)) : "no " + name;
	}

}
