package io.rpcboot.internal.client.runtime;

import java.util.function.LongSupplier;

import io.rpcboot.internal.client.call.CameBack;
import io.rpcboot.internal.client.call.ClientCounts;
import io.rpcboot.internal.concurrent.PoolView;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryAccount;
import io.rpcboot.metrics.OfferedLevels;
import io.rpcboot.metrics.RpcMetrics.Level;

/** The numbers of a client that somebody may look at. */
public final class ClientLevels {

	private ClientLevels() {
	}

	/** Those of a client but for the instances of its references. */
	public static OfferedLevels of(ClientRuntime client, MemoryAccount account, LongSupplier heldCalls) {
		ClientCounts counts = client.counts();
		PoolView callbacks = new PoolView(client.callbacks());
		return new OfferedLevels(client.options().metrics).offer(Level.PENDING, client.limit()::pending)
			.offer(Level.QUEUED, client.limit()::queued)
			.offer(Level.HELD, heldCalls)
			.offer(Level.LOST_CALLS, client.losses()::count)
			.offer(Level.RESENT_REFUSED, () -> counts.resent(CameBack.REFUSED))
			.offer(Level.RESENT_GO_AWAY, () -> counts.resent(CameBack.GO_AWAY))
			.offer(Level.RESENT_DISCONNECTED, () -> counts.resent(CameBack.DISCONNECTED))
			.offer(Level.RESENT_HEDGED, () -> counts.resent(CameBack.HEDGED))
			.offer(Level.RESENT_FAILED, () -> counts.resent(CameBack.FAILED))
			.offer(Level.RETRIES_DENIED, counts::denied)
			.offer(Level.CLIENT_EXPIRED, counts::expired)
			.offer(Level.CLIENT_CANCELLED, counts::cancelled)
			.offer(Level.CLIENT_CONTRACTS_REFUSED, counts::refusedContracts)
			.offer(Level.CALLBACK_THREADS, callbacks::maxThreads)
			.offer(Level.CALLBACKS_BUSY, callbacks::busy)
			.offer(Level.CALLBACKS_WAITING, callbacks::waiting)
			.offer(Level.CLIENT_MEMORY_INCOMING, () -> account.used(Direction.INCOMING))
			.offer(Level.CLIENT_MEMORY_OUTGOING, () -> account.used(Direction.OUTGOING))
			.offer(Level.CLIENT_MEMORY_LIMIT, account::limit)
			.offer(Level.CLIENT_MEMORY_WAITING, account::waiting);
	}

}
