package io.rpcboot.internal.server.lifecycle;

import io.rpcboot.internal.concurrent.WorkerPoolStats;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.metrics.GaugeRegistrations;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.server.RegistrationInfo.Mode;

/** The numbers of a server that somebody may look at. */
public final class ServerGauges {

	private ServerGauges() {
	}

	public static GaugeRegistrations of(ServerResources server, MemoryBudget account, WorkerPoolStats pool,
			ServerRegistration presence) {
		return new GaugeRegistrations(server.options.metrics).offer(Gauge.IN_FLIGHT, server.inFlight::get)
			.offer(Gauge.GRANTED_CALLS, server.calls::promised)
			.offer(Gauge.GRANTED_BYTES, () -> account.used(Direction.INCOMING))
			.offer(Gauge.SERVER_MEMORY_INCOMING, () -> account.used(Direction.INCOMING))
			.offer(Gauge.SERVER_MEMORY_OUTGOING, () -> account.used(Direction.OUTGOING))
			.offer(Gauge.SERVER_MEMORY_LIMIT, account::limit)
			.offer(Gauge.SERVER_MEMORY_WAITING, account::waiting)
			.offer(Gauge.DROPPED_RESULTS, server.memory::dropped)
			.offer(Gauge.DROPPED_CALLS, server.counts.dropped::sum)
			.offer(Gauge.SERVER_EXPIRED, server.counts.expired::sum)
			.offer(Gauge.SERVER_CANCELLED, server.counts.cancelled::sum)
			.offer(Gauge.SERVER_CONTRACTS_REFUSED, server.counts.refusedContracts::sum)
			.offer(Gauge.SERVER_ONLINE, () -> (presence.info().mode() == Mode.ONLINE) ? 1 : 0)
			.offer(Gauge.AGED_CONNECTIONS, server.counts.aged::sum)
			.offer(Gauge.DRAINED_CALLS, server.counts.drained::sum)
			.offer(Gauge.CUT_CALLS, server.counts.cut::sum)
			.offer(Gauge.POOL_THREADS, pool::maxThreads)
			.offer(Gauge.POOL_BUSY, pool::busy)
			.offer(Gauge.POOL_WAITING, pool::waiting);
	}

}
