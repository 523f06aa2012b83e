package io.rpcboot.internal.relay.http2;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.client.connection.http2.PassedFields;
import io.rpcboot.internal.protocol.grpc.ContractField;
import io.rpcboot.internal.protocol.grpc.GrpcException;
import io.rpcboot.internal.protocol.http2.HeaderField;
import io.rpcboot.internal.protocol.http2.HeaderResolver;
import io.rpcboot.internal.server.connection.http2.RequestHeaders.Head;
import io.rpcboot.relay.RelayRoute;
import org.jspecify.annotations.Nullable;

/**
 * Rules by which a relay rewrites the header fields of a request. Attachments are added
 * and removed as the route says. Fields of one connection, the timeout, and reserved
 * names that are not those of a service go no further. Immutable.
 */
final class HeaderRules {

	/** Relays through which a request has come. */
	static final String HOPS = "rpc-hops";

	/** Most relays on the way of a request, so that a circle of relays ends. */
	static final int MOST_HOPS = 8;

	/** Fields that are written anew for each connection. */
	private static final Set<String> OF_CONNECTION = Set.of("grpc-timeout", "connect-timeout-ms", "host");

	/** Reserved names that a service reads. */
	private static final Set<String> OF_SERVICE = Set.of("rpc-version", "rpc-group", ContractField.NAME);

	private static final HeaderResolver NONE = new HeaderResolver() {

		@Override
		public int kindOf(String name) {
			return OTHER;
		}

		@Override
		public @Nullable Object resolve(int kind, String value) {
			return null;
		}

	};

	private final Set<String> removed;

	private final List<HeaderField> added;

	HeaderRules(RelayRoute route) {
		this.removed = route.removedAttachments();
		this.added = route.addedAttachments()
			.entrySet()
			.stream()
			.map((each) -> HeaderField.of(NONE, each.getKey(), each.getValue()))
			.toList();
	}

	/**
	 * Returns the fields of a request for the next hop.
	 * @throws GrpcException if the request has come through too many relays
	 */
	PassedFields rewrite(Head head) {
		List<HeaderField> others = new ArrayList<>(head.fields().size() + 1);
		String verb = "";
		String path = "";
		int hops = 0;
		for (HeaderField each : head.fields()) {
			String name = each.name();
			switch (name) {
				case ":method" -> verb = each.value();
				case ":path" -> path = each.value();
				case HOPS -> hops = hops(each.value());
				default -> {
					if (passes(name)) {
						others.add(each);
					}
				}
			}
		}
		if (hops >= MOST_HOPS) {
			throw new GrpcException(RpcStatus.INTERNAL,
					"the request has come through %d relays (expected: fewer; relays that are targets of each other pass calls in a circle, see rpc.relay.routes[n].addresses)"
						.formatted(hops));
		}
		others.addAll(this.added);
		others.add(HeaderField.of(NONE, HOPS, String.valueOf(hops + 1)));
		return new PassedFields(verb, path, head.type().isConnect(), others);
	}

	private boolean passes(String name) {
		return name.charAt(0) != ':' && !OF_CONNECTION.contains(name) && !this.removed.contains(name)
				&& (!name.startsWith(Attachments.RESERVED_PREFIX) || OF_SERVICE.contains(name))
				&& this.added.stream().noneMatch((each) -> each.name().equals(name));
	}

	/** Returns a number; of a text that is none, one that ends the request. */
	private static int hops(String value) {
		boolean isNumber = !value.isEmpty() && value.length() <= 2
				&& value.chars().allMatch((each) -> each >= '0' && each <= '9');
		return isNumber ? Integer.parseInt(value) : MOST_HOPS;
	}

}
