package io.rpcboot.internal.client.routing;

import io.rpcboot.Endpoint;
import io.rpcboot.internal.client.call.Attempts;
import io.rpcboot.internal.client.call.CallCarrier;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.registry.ServiceInstance;
import org.jspecify.annotations.Nullable;

/** The instances that take calls now. Immutable, for any thread. */
public final class Ready {

	public static final Ready NONE = new Ready(ReadyInstances.NONE, new ClientConnection[0][], null, true);

	/** What a load balancer sees of them. */
	public final ReadyInstances candidates;

	/** For each instance its connections, one or more. */
	public final ClientConnection[][] connections;

	/** Which calls go to others, null if none does. */
	public final @Nullable Routes routes;

	/** Whether these are all that are connected. */
	public final boolean isAll;

	public Ready(ReadyInstances candidates, ClientConnection[][] connections, @Nullable Routes routes, boolean isAll) {
		this.candidates = candidates;
		this.connections = connections;
		this.routes = routes;
		this.isAll = isAll;
	}

	/** Where a call may be sent. */
	public Ready forCall(ClientCall call) {
		return (this.routes == null) ? this : this.routes.of(call, this);
	}

	Ready forMethod(int number) {
		return (this.routes == null) ? this : this.routes.ofMethod(number, this);
	}

	/** Whether a call was not where the connection leads, or was everywhere. */
	public boolean prefers(ClientCall call, CallCarrier carrier) {
		Attempts attempts = call.attempts;
		return attempts == null || !attempts.avoids(carrier.endpoint()) || !hasOther(attempts, carrier.endpoint());
	}

	/** Whether an instance is among them other than that and where a call was. */
	public boolean hasOther(@Nullable Attempts attempts, Endpoint than) {
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
	public boolean has(CallCarrier carrier) {
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
