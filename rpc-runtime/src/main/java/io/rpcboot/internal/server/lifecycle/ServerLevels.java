package io.rpcboot.internal.server.lifecycle;

import io.rpcboot.internal.concurrent.PoolView;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryAccount;
import io.rpcboot.internal.server.runtime.ServerRuntime;
import io.rpcboot.metrics.OfferedLevels;
import io.rpcboot.metrics.RpcMetrics.Level;
import io.rpcboot.server.PresenceInfo.Mode;

/** The numbers of a server that somebody may look at. */
public final class ServerLevels {

	private ServerLevels() {
	}

	public static OfferedLevels of(ServerRuntime server, MemoryAccount account, PoolView pool, Presence presence) {
		return new OfferedLevels(server.options.metrics).offer(Level.IN_FLIGHT, server.inFlight::get)
			.offer(Level.GRANTED_CALLS, server.calls::promised)
			.offer(Level.GRANTED_BYTES, () -> account.used(Direction.INCOMING))
			.offer(Level.SERVER_MEMORY_INCOMING, () -> account.used(Direction.INCOMING))
			.offer(Level.SERVER_MEMORY_OUTGOING, () -> account.used(Direction.OUTGOING))
			.offer(Level.SERVER_MEMORY_LIMIT, account::limit)
			.offer(Level.SERVER_MEMORY_WAITING, account::waiting)
			.offer(Level.DROPPED_RESULTS, server.memory::dropped)
			.offer(Level.DROPPED_CALLS, server.counts.dropped::sum)
			.offer(Level.SERVER_EXPIRED, server.counts.expired::sum)
			.offer(Level.SERVER_CANCELLED, server.counts.cancelled::sum)
			.offer(Level.SERVER_CONTRACTS_REFUSED, server.counts.refusedContracts::sum)
			.offer(Level.SERVER_ONLINE, () -> (presence.info().mode() == Mode.ONLINE) ? 1 : 0)
			.offer(Level.AGED_CONNECTIONS, server.counts.aged::sum)
			.offer(Level.DRAINED_CALLS, server.counts.drained::sum)
			.offer(Level.CUT_CALLS, server.counts.cut::sum)
			.offer(Level.POOL_THREADS, pool::maxThreads)
			.offer(Level.POOL_BUSY, pool::busy)
			.offer(Level.POOL_WAITING, pool::waiting);
	}

}
