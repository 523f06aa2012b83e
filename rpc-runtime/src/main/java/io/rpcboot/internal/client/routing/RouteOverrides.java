package io.rpcboot.internal.client.routing;

import java.util.List;
import java.util.Map;

import io.rpcboot.internal.client.call.ClientCall;

/**
 * Where calls of a reference go that do not go to all instances that are ready.
 *
 * @param fewer by number of a method, for those that some of the connections refuse
 * @param tag of the calls that have none of their own
 * @param tagged by tag, for calls with that tag
 * @param otherwise for calls with a tag that no instance has
 * @param probes for those of these instances that are out; lists for tags have their own
 */
public record RouteOverrides(Map<Integer, RoutingTable> fewer, String tag, Map<String, RoutingTable> tagged,
		RoutingTable otherwise, List<HalfOpenProbe> probes) {

	RoutingTable ofMethod(int number, RoutingTable all) {
		return this.fewer.getOrDefault(number, all);
	}

	RoutingTable of(ClientCall call, RoutingTable all) {
		RoutingTable tagged = byTag(call, all);
		return (tagged == all) ? ofMethod(call.method.number, all) : tagged.forMethod(call.method.number);
	}

	public RoutingTable toSend(ClientCall call, RoutingTable all) {
		RoutingTable ready = of(call, all);
		RoutingTable tagged = byTag(call, all);
		RouteOverrides routes = (tagged == all) ? this : tagged.routes;
		if (routes != null) {
			for (HalfOpenProbe probe : routes.probes) {
				ready = probe.orElse(call, ready);
			}
		}
		return ready;
	}

	private RoutingTable byTag(ClientCall call, RoutingTable all) {
		String own = (call.context != null) ? call.context.tag : null;
		return (own == null || own.equals(this.tag)) ? all : this.tagged.getOrDefault(own, this.otherwise);
	}

}
