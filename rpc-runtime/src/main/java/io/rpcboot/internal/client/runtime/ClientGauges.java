package io.rpcboot.internal.client.runtime;

import java.util.function.LongSupplier;

import io.rpcboot.internal.client.call.ClientCounters;
import io.rpcboot.internal.client.call.RedispatchReason;
import io.rpcboot.internal.concurrent.WorkerPoolStats;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.metrics.GaugeRegistrations;
import io.rpcboot.metrics.RpcMetrics.Gauge;

/** The numbers of a client that somebody may look at. */
public final class ClientGauges {

	private ClientGauges() {
	}

	/** Those of a client but for the instances of its references. */
	public static GaugeRegistrations of(ClientResources client, MemoryBudget account, LongSupplier heldCalls) {
		ClientCounters counts = client.counts();
		WorkerPoolStats callbacks = new WorkerPoolStats(client.callbacks());
		return new GaugeRegistrations(client.options().metrics).offer(Gauge.PENDING, client.limit()::pending)
			.offer(Gauge.QUEUED, client.limit()::queued)
			.offer(Gauge.HELD, heldCalls)
			.offer(Gauge.LOST_CALLS, client.losses()::count)
			.offer(Gauge.RESENT_REFUSED, () -> counts.resent(RedispatchReason.REFUSED))
			.offer(Gauge.RESENT_GO_AWAY, () -> counts.resent(RedispatchReason.GO_AWAY))
			.offer(Gauge.RESENT_DISCONNECTED, () -> counts.resent(RedispatchReason.DISCONNECTED))
			.offer(Gauge.RESENT_HEDGED, () -> counts.resent(RedispatchReason.HEDGED))
			.offer(Gauge.RESENT_FAILED, () -> counts.resent(RedispatchReason.FAILED))
			.offer(Gauge.RETRIES_DENIED, counts::denied)
			.offer(Gauge.CLIENT_EXPIRED, counts::expired)
			.offer(Gauge.CLIENT_CANCELLED, counts::cancelled)
			.offer(Gauge.CLIENT_CONTRACTS_REFUSED, counts::refusedContracts)
			.offer(Gauge.CALLBACK_THREADS, callbacks::maxThreads)
			.offer(Gauge.CALLBACKS_BUSY, callbacks::busy)
			.offer(Gauge.CALLBACKS_WAITING, callbacks::waiting)
			.offer(Gauge.CLIENT_MEMORY_INCOMING, () -> account.used(Direction.INCOMING))
			.offer(Gauge.CLIENT_MEMORY_OUTGOING, () -> account.used(Direction.OUTGOING))
			.offer(Gauge.CLIENT_MEMORY_LIMIT, account::limit)
			.offer(Gauge.CLIENT_MEMORY_WAITING, account::waiting);
	}

}
