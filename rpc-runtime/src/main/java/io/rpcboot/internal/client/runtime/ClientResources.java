package io.rpcboot.internal.client.runtime;

import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

import io.rpcboot.internal.client.call.AttemptHistory.RedispatchReason;
import io.rpcboot.internal.client.call.ClientCounters;
import io.rpcboot.internal.client.contract.PeerContractCache;
import io.rpcboot.internal.client.limits.AdaptiveConcurrencyLimit;
import io.rpcboot.internal.client.limits.RequestMemory;
import io.rpcboot.internal.concurrent.StripedPool;
import io.rpcboot.internal.concurrent.WorkerPool;
import io.rpcboot.internal.concurrent.WorkerPoolStats;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.stream.OpenStreams;
import io.rpcboot.internal.transport.Transport;
import io.rpcboot.metrics.GaugeRegistrations;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.transport.ConnectionInfo;

/**
 * Resources that all parts of a client share.
 *
 * @param options options of the application
 * @param serializers names of the serializers of all references; references add theirs
 * @param transport sockets and event loops
 * @param control the one thread that changes references, pools and their connections
 * @param callbacks threads that complete futures
 * @param uploads threads that may block in the streams of callers
 * @param buffers buffers for the serialization of arguments
 * @param arrays arrays for small bodies of blocking callers
 * @param limit limit of pending calls
 * @param memory memory of request bodies
 * @param contracts contracts of servers
 * @param connections established connections; any thread
 * @param streams open streams
 * @param counts counters of calls with trouble
 * @param nanoTime clock for waits, retries and reconnects
 */
public record ClientResources(ClientOptions options, Set<String> serializers, Transport transport,
		ScheduledExecutorService control, WorkerPool callbacks, WorkerPool uploads, OutputBuffer.Pool buffers,
		StripedPool<byte[]> arrays, AdaptiveConcurrencyLimit limit, RequestMemory memory, PeerContractCache contracts,
		Set<OpenConnection> connections, OpenStreams streams, ClientCounters counts, LongSupplier nanoTime) {

	/** Established connection, for display. Any thread. */
	public interface OpenConnection {

		/** Returns the current state. */
		ConnectionInfo describe();

		/** Returns the calls that wait for the window or for the socket. */
		int held();

		/** Returns true if no frame waits to be written. */
		boolean isIdle();

	}

	/**
	 * Registers the gauges of the client, except those of its references.
	 * @param heldCalls calls that wait for a connection
	 */
	public GaugeRegistrations registerGauges(LongSupplier heldCalls) {
		MemoryBudget account = this.memory.account();
		WorkerPoolStats pool = new WorkerPoolStats(this.callbacks);
		return new GaugeRegistrations(this.options.metrics).offer(Gauge.PENDING, this.limit::pending)
			.offer(Gauge.QUEUED, this.limit::queued)
			.offer(Gauge.HELD, heldCalls)
			.offer(Gauge.CLIENT_STREAMS, this.streams::count)
			.offer(Gauge.LOST_CALLS, this.counts::lostOneWays)
			.offer(Gauge.RESENT_REFUSED, () -> this.counts.resent(RedispatchReason.REFUSED))
			.offer(Gauge.RESENT_GO_AWAY, () -> this.counts.resent(RedispatchReason.GO_AWAY))
			.offer(Gauge.RESENT_DISCONNECTED, () -> this.counts.resent(RedispatchReason.DISCONNECTED))
			.offer(Gauge.RESENT_HEDGED, () -> this.counts.resent(RedispatchReason.HEDGED))
			.offer(Gauge.RESENT_FAILED, () -> this.counts.resent(RedispatchReason.FAILED))
			.offer(Gauge.RETRIES_DENIED, this.counts::denied)
			.offer(Gauge.CLIENT_EXPIRED, this.counts::expired)
			.offer(Gauge.CLIENT_CANCELLED, this.counts::cancelled)
			.offer(Gauge.CLIENT_CONTRACTS_REFUSED, this.counts::refusedContracts)
			.offer(Gauge.CALLBACK_THREADS, pool::maxThreads)
			.offer(Gauge.CALLBACKS_BUSY, pool::busy)
			.offer(Gauge.CALLBACKS_WAITING, pool::waiting)
			.offer(Gauge.CLIENT_MEMORY_INCOMING, () -> account.used(Direction.INCOMING))
			.offer(Gauge.CLIENT_MEMORY_OUTGOING, () -> account.used(Direction.OUTGOING))
			.offer(Gauge.CLIENT_MEMORY_LIMIT, account::limit)
			.offer(Gauge.CLIENT_MEMORY_WAITING, account::waiting);
	}

}
