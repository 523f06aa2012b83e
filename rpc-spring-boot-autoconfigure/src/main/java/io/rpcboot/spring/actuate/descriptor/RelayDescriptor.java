package io.rpcboot.spring.actuate.descriptor;

import java.util.List;
import java.util.Map;

import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.relay.RelayInfo;
import io.rpcboot.relay.RpcRelay;

/**
 * The relay of this process.
 *
 * @param inFlightCalls calls that go through it now
 * @param clients connections of clients
 * @param servers connections to servers
 * @param routes its routes
 * @since 0.1.0
 */
public record RelayDescriptor(int inFlightCalls, int clients, int servers, List<Route> routes) {

	/** Describes a relay. */
	public static RelayDescriptor of(RpcRelay relay) {
		return new RelayDescriptor(relay.inFlightCalls(), relay.clients().size(), relay.servers().size(),
				relay.routes().stream().map(Route::of).toList());
	}

	/**
	 * A route.
	 *
	 * @param number index in the configuration
	 * @param attachments attachments that a call needs
	 * @param services the services that it passes on
	 */
	public record Route(int number, Map<String, String> attachments, List<Target> services) {

		private static Route of(RelayInfo info) {
			return new Route(info.number(), info.route().attachments(),
					info.targets().stream().map(Target::of).toList());
		}

	}

	/**
	 * A service of a route.
	 *
	 * @param service the service: {@code name[:version][@group]}
	 * @param source where its instances come from
	 * @param ready true if an instance takes calls
	 * @param waitingCalls calls that wait for an instance
	 * @param instances known instances
	 */
	public record Target(String service, String source, boolean ready, int waitingCalls,
			List<ReferenceDescriptor.InstanceDescriptor> instances) {

		private static Target of(ReferenceInfo info) {
			return new Target(info.service().toString(), info.source(), info.isReady(), info.waitingCalls(),
					info.instances().stream().map(ReferenceDescriptor.InstanceDescriptor::of).toList());
		}

	}

}
