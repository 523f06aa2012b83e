package io.rpcboot.spring.actuate.endpoint;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rpcboot.Side;
import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.actuate.descriptor.MethodStatsDescriptor;
import io.rpcboot.transport.ConnectionInfo;
import org.jspecify.annotations.Nullable;

/** Report of the connections of client and server. */
final class ConnectionsReport {

	/** Most connections of a side. */
	static final int MOST = 500;

	private final RpcBeans beans;

	ConnectionsReport(RpcBeans beans) {
		this.beans = beans;
	}

	All all() {
		List<ConnectionInfo> server = of(Side.SERVER);
		List<ConnectionInfo> client = of(Side.CLIENT);
		return new All(busiest(server), busiest(client),
				Math.max(0, server.size() - MOST) + Math.max(0, client.size() - MOST));
	}

	private static List<ConnectionInfo> busiest(List<ConnectionInfo> connections) {
		return connections.stream()
			.sorted(Comparator.comparing(ConnectionInfo::pending).thenComparing(ConnectionInfo::messages).reversed())
			.limit(MOST)
			.toList();
	}

	/** Returns the connections with a remote address; null if there is none. */
	@Nullable One one(Side side, String remote) {
		List<ConnectionInfo> found = of(side).stream().filter((each) -> each.remote().equals(remote)).toList();
		return found.isEmpty() ? null : new One(MethodStatsDescriptor.name(side), remote, found);
	}

	/**
	 * Returns the connections by remote addresses. Those of a client with one address are
	 * alike, unless they have different protocols: then none counts.
	 */
	Map<String, ConnectionInfo> byRemote(Side side) {
		Map<String, ConnectionInfo> result = new HashMap<>();
		Set<String> unlike = new HashSet<>();
		for (ConnectionInfo each : of(side)) {
			ConnectionInfo other = result.putIfAbsent(each.remote(), each);
			if (other != null && other.protocol() != each.protocol()) {
				unlike.add(each.remote());
			}
		}
		result.keySet().removeAll(unlike);
		return result;
	}

	private List<ConnectionInfo> of(Side side) {
		if (side == Side.CLIENT) {
			return this.beans.clients().stream().map(RpcClient::connections).flatMap(List::stream).toList();
		}
		RpcServer server = this.beans.server();
		return (server != null) ? server.connections() : List.of();
	}

	/**
	 * The list of connections.
	 *
	 * @param server connections of the server, busiest first
	 * @param client connections of the client, busiest first
	 * @param leftOut number of omitted connections: those beyond 500 of a side
	 */
	record All(List<ConnectionInfo> server, List<ConnectionInfo> client, int leftOut) {
	}

	/**
	 * The connections with one remote address.
	 *
	 * @param side {@code client} or {@code server}
	 * @param remote address of the peer
	 * @param connections one, or several of a client
	 */
	record One(String side, String remote, List<ConnectionInfo> connections) {
	}

}
