package io.rpcboot.internal.client.routing;

import io.rpcboot.Endpoint;
import io.rpcboot.internal.client.call.AttemptHistory;
import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.registry.ServiceInstance;
import org.jspecify.annotations.Nullable;

/** The instances that take calls now. Immutable, for any thread. */
public final class RoutingTable {

	public static final RoutingTable NONE = new RoutingTable(CandidateSet.NONE, new ClientConnection[0][], null, true);

	/** What a load balancer sees of them. */
	public final CandidateSet candidates;

	/** For each instance its connections, one or more. */
	public final ClientConnection[][] connections;

	/** Which calls go to others, null if none does. */
	public final @Nullable RouteOverrides routes;

	/** Whether these are all that are connected. */
	public final boolean isAll;

	public RoutingTable(CandidateSet candidates, ClientConnection[][] connections, @Nullable RouteOverrides routes,
			boolean isAll) {
		this.candidates = candidates;
		this.connections = connections;
		this.routes = routes;
		this.isAll = isAll;
	}

	/** Where a call may be sent. */
	public RoutingTable forCall(ClientCall call) {
		return (this.routes == null) ? this : this.routes.of(call, this);
	}

	RoutingTable forMethod(int number) {
		return (this.routes == null) ? this : this.routes.ofMethod(number, this);
	}

	/** Whether a call was not where the connection leads, or was everywhere. */
	public boolean prefers(ClientCall call, CallTransport carrier) {
		AttemptHistory attempts = call.attempts;
		return attempts == null || !attempts.avoids(carrier.endpoint()) || !hasOther(attempts, carrier.endpoint());
	}

	/** Whether an instance is among them other than that and where a call was. */
	public boolean hasOther(@Nullable AttemptHistory attempts, Endpoint than) {
		return this.candidates.instances()
			.stream()
			.map(ServiceInstance::endpoint)
			.anyMatch((each) -> !each.equals(than) && (attempts == null || !attempts.avoids(each)));
	}

	/** Whether no call is sent anywhere. */
	public boolean isEmpty() {
		return this.connections.length == 0;
	}

	/** Whether one of the connections is that one. */
	public boolean has(CallTransport carrier) {
		for (ClientConnection[] instance : this.connections) {
			for (ClientConnection each : instance) {
				if (each == carrier) {
					return true;
				}
			}
		}
		return false;
	}

}
