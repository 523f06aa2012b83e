package io.rpcboot.internal.client.routing;

import io.rpcboot.Endpoint;
import io.rpcboot.internal.client.call.AttemptHistory;
import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.registry.ServiceInstance;
import org.jspecify.annotations.Nullable;

/**
 * Instances that take calls, and their connections. Its fields do not change; candidates
 * cache views, and trials of {@link RouteOverrides} become taken. Any thread.
 */
public final class RoutingTable {

	public static final RoutingTable NONE = new RoutingTable(CandidateSet.NONE, new ClientConnection[0][], null, true);

	/** The same instances as load balancers see them. */
	public final CandidateSet candidates;

	/** Connections of each instance, one or more. */
	public final ClientConnection[][] connections;

	/** Routes of calls with another table; null if there are none. */
	public final @Nullable RouteOverrides routes;

	/**
	 * True if the table has every connected instance of those it was built from: none was
	 * left out, such as one that is ejected, frozen or in another zone.
	 */
	public final boolean isAll;

	public RoutingTable(CandidateSet candidates, ClientConnection[][] connections, @Nullable RouteOverrides routes,
			boolean isAll) {
		this.candidates = candidates;
		this.connections = connections;
		this.routes = routes;
		this.isAll = isAll;
	}

	/** Returns the table of a call, without trials. */
	public RoutingTable forCall(ClientCall call) {
		return (this.routes == null) ? this : this.routes.of(call, this);
	}

	/**
	 * Returns the table of a method, without tags and trials.
	 * @param number method number on the wire
	 */
	RoutingTable forMethod(int number) {
		return (this.routes == null) ? this : this.routes.ofMethod(number, this);
	}

	/**
	 * Returns true if a call has not tried the instance of a connection, or has tried
	 * all.
	 */
	public boolean prefers(ClientCall call, CallTransport carrier) {
		AttemptHistory attempts = call.attempts;
		return attempts == null || !attempts.avoids(carrier.endpoint()) || !hasOther(attempts, carrier.endpoint());
	}

	/** Returns true if the table has an untried instance beside the given one. */
	public boolean hasOther(@Nullable AttemptHistory attempts, Endpoint than) {
		return this.candidates.instances()
			.stream()
			.map(ServiceInstance::endpoint)
			.anyMatch((each) -> !each.equals(than) && (attempts == null || !attempts.avoids(each)));
	}

	/** Returns true if no instance takes calls. */
	public boolean isEmpty() {
		return this.connections.length == 0;
	}

	/** Returns true if the table has a connection. */
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
