package io.rpcboot.internal.client.routing;

import java.util.List;
import java.util.Map;

import io.rpcboot.internal.client.call.ClientCall;

/**
 * Routes of calls that may not go to every ready instance. The routes do not change; a
 * trial becomes taken. Any thread.
 *
 * @param fewer tables of methods that some connections refuse, by method number on the
 * wire
 * @param tag tag of calls without one
 * @param tagged tables by tag
 * @param otherwise table of calls with a tag that no instance has
 * @param probes trials of ejected instances of this table; tables of tags have their own
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

	/**
	 * Returns the table of a call that is sent at once. The call takes the first open
	 * trial that it fits; the next call takes the next one.
	 */
	public RoutingTable toSend(ClientCall call, RoutingTable all) {
		RoutingTable tagged = byTag(call, all);
		RouteOverrides routes = (tagged == all) ? this : tagged.routes;
		if (routes != null) {
			for (HalfOpenProbe probe : routes.probes) {
				if (probe.tryTake(call)) {
					return probe.ready;
				}
			}
		}
		return of(call, all);
	}

	private RoutingTable byTag(ClientCall call, RoutingTable all) {
		String own = (call.context != null) ? call.context.tag : null;
		return (own == null || own.equals(this.tag)) ? all : this.tagged.getOrDefault(own, this.otherwise);
	}

}
