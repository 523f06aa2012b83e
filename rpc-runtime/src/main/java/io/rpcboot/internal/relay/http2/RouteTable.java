package io.rpcboot.internal.relay.http2;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceId;
import io.rpcboot.internal.protocol.grpc.GrpcException;
import io.rpcboot.internal.protocol.http2.HeaderField;
import io.rpcboot.internal.server.connection.http2.RequestHeaders.Head;
import io.rpcboot.relay.RelayRoute;
import org.jspecify.annotations.Nullable;

/**
 * Routes of a relay by the names of their services. Immutable.
 *
 * @param <R> reference, the way to the servers of a service
 */
public final class RouteTable<R> {

	private final Map<String, List<Route<R>>> routes = new HashMap<>();

	/**
	 * Creates a table, and the references of all routes.
	 * @param references makes the reference of a route to a service
	 * @throws RpcConfigurationException if two routes pass the same calls on
	 */
	public RouteTable(List<RelayRoute> options, BiFunction<RelayRoute, ServiceId, R> references) {
		for (int i = 0; i < options.size(); i++) {
			for (int other = 0; other < i; other++) {
				requireApart(options, other, i);
			}
		}
		for (int i = 0; i < options.size(); i++) {
			RelayRoute each = options.get(i);
			Route<R> route = new Route<>(i, each, new HeaderRules(each), new HashMap<>());
			each.targets().forEach((service) -> route.targets.put(service, references.apply(each, service)));
			each.services()
				.forEach((name) -> this.routes.computeIfAbsent(pathName(name), (any) -> new ArrayList<>()).add(route));
		}
	}

	private static void requireApart(List<RelayRoute> routes, int first, int second) {
		RelayRoute one = routes.get(first);
		RelayRoute other = routes.get(second);
		List<String> shared = one.services().stream().filter(other.services()::contains).sorted().toList();
		if (!shared.isEmpty() && meet(one.versions(), other.versions(), one, other)
				&& meet(one.groups(), other.groups(), one, other) && meet(one.attachments(), other.attachments())) {
			throw new RpcConfigurationException(
					"rpc.relay.routes[%d].services: %s (expected: services that no other route passes on; routes[%d] has them)"
						.formatted(second, String.join(", ", shared), first),
					"Remove the service from one of the routes, or give the routes different versions, groups or values of an attachment.");
		}
	}

	/** Returns the name of a service in paths, where nested interfaces have dots. */
	private static String pathName(String service) {
		return service.replace('$', '.');
	}

	/** Returns true if a call may fit both routes; no values stand for their default. */
	private static boolean meet(Set<String> ones, Set<String> others, RelayRoute one, RelayRoute other) {
		boolean any = (ones.isEmpty() && one.hasAddresses()) || (others.isEmpty() && other.hasAddresses());
		Set<String> first = ones.isEmpty() ? Set.of("") : ones;
		Set<String> second = others.isEmpty() ? Set.of("") : others;
		return any || !Collections.disjoint(first, second);
	}

	private static boolean meet(Map<String, String> ones, Map<String, String> others) {
		return ones.entrySet()
			.stream()
			.allMatch((each) -> each.getValue().equals(others.getOrDefault(each.getKey(), each.getValue())));
	}

	/**
	 * Chooses the target of a request.
	 * @throws GrpcException if no route passes it on
	 */
	Target<R> choose(Head head) {
		String path = head.path();
		int end = path.lastIndexOf('/');
		if (end < 2) {
			throw new GrpcException(RpcStatus.UNIMPLEMENTED,
					"path '%s' (expected: /package.Service/Method)".formatted(path));
		}
		String name = path.substring(1, end);
		String version = (head.version() != null) ? head.version() : "";
		String group = (head.group() != null) ? head.group() : "";
		List<Route<R>> named = this.routes.getOrDefault(name, List.of());
		for (Route<R> each : named) {
			R reference = each.has(head.fields()) ? each.target(name, version, group) : null;
			if (reference != null) {
				return new Target<>(each, reference);
			}
		}
		if (named.isEmpty()) {
			throw new GrpcException(RpcStatus.UNIMPLEMENTED,
					"the relay does not pass on service %s (expected: one of rpc.relay.routes[n].services)"
						.formatted(name));
		}
		throw new GrpcException(RpcStatus.FAILED_PRECONDITION,
				"the relay passes on service %s, but not with version '%s', group '%s' and these attachments (expected: those of rpc.relay.routes[%d])"
					.formatted(name, version, group, named.get(0).number));
	}

	/**
	 * Reference that gets a call.
	 *
	 * @param <R> reference
	 * @param route route that has chosen it
	 * @param reference way to the servers
	 */
	record Target<R>(Route<R> route, R reference) {
	}

	/**
	 * Route with its references.
	 *
	 * @param <R> reference
	 * @param number index in the configuration
	 * @param options options
	 * @param rules rules of its header fields
	 * @param targets references by service
	 */
	record Route<R>(int number, RelayRoute options, HeaderRules rules, Map<ServiceId, R> targets) {

		private boolean has(List<HeaderField> fields) {
			return this.options.attachments()
				.entrySet()
				.stream()
				.allMatch((wanted) -> fields.stream()
					.anyMatch((each) -> each.name().equals(wanted.getKey()) && each.value().equals(wanted.getValue())));
		}

		private @Nullable R target(String name, String version, String group) {
			String service = this.options.services()
				.stream()
				.filter((each) -> pathName(each).equals(name))
				.findFirst()
				.orElse(name);
			boolean anyVersion = this.options.versions().isEmpty() && this.options.hasAddresses();
			boolean anyGroup = this.options.groups().isEmpty() && this.options.hasAddresses();
			try {
				return this.targets.get(new ServiceId(service, anyVersion ? "" : version, anyGroup ? "" : group));
			}
			catch (RpcConfigurationException ex) { // letters that no version has
				return null;
			}
		}

	}

}
