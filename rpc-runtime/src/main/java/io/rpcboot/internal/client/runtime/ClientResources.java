package io.rpcboot.internal.client.runtime;

import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

import io.rpcboot.internal.client.call.ClientCounters;
import io.rpcboot.internal.client.call.LostOneWayCalls;
import io.rpcboot.internal.client.contract.PeerContractCache;
import io.rpcboot.internal.client.limits.AdaptiveConcurrencyLimit;
import io.rpcboot.internal.client.limits.RequestMemory;
import io.rpcboot.internal.concurrent.StripedPool;
import io.rpcboot.internal.concurrent.WorkerPool;
import io.rpcboot.internal.transport.Transport;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.transport.ConnectionInfo;

/**
 * What every part of a client shares.
 *
 * @param options what the application asked for
 * @param serializers names of those that its references use, added to as these are made
 * @param transport sockets and event loops
 * @param control the one thread that changes references, pools and their connections
 * @param callbacks completes futures
 * @param buffers where arguments are serialized
 * @param arrays where small ones of a blocking caller stay until it has its reply
 * @param limit how many calls may be under way
 * @param memory where bodies are entered
 * @param contracts what is known of the tables of servers
 * @param connections the established ones, for any thread
 * @param losses one-way calls that were lost
 * @param counts calls that did not go straight
 * @param nanoTime the clock by which calls wait for instances, and instances are tried
 */
public record ClientResources(ClientOptions options, Set<String> serializers, Transport transport,
		ScheduledExecutorService control, WorkerPool callbacks, OutputBuffer.Pool buffers, StripedPool<byte[]> arrays,
		AdaptiveConcurrencyLimit limit, RequestMemory memory, PeerContractCache contracts,
		Set<OpenConnection> connections, LostOneWayCalls losses, ClientCounters counts, LongSupplier nanoTime) {

	/** An established connection, for people. Any thread. */
	public interface OpenConnection {

		/** As it stands now. */
		ConnectionInfo describe();

		/** Calls that wait in it for a grant or for the socket. */
		int held();

	}

}
