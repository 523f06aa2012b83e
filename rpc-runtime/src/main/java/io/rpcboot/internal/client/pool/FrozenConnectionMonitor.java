package io.rpcboot.internal.client.pool;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import io.rpcboot.Endpoint;
import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.internal.client.pool.FrozenDetector.Finding;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the connections of a pool for frozen servers and stuck calls. Control thread.
 */
final class FrozenConnectionMonitor {

	static final String WHY = "it owes answers and has sent nothing for 2 s, nor after a probe; "
			+ "calls go to others, if there are any, until it does";

	private static final Logger logger = LoggerFactory.getLogger("rpc.client");

	private final Endpoint endpoint;

	private final Collection<PooledConnection> ready;

	FrozenConnectionMonitor(Endpoint endpoint, Collection<PooledConnection> ready) {
		this.endpoint = endpoint;
		this.ready = ready;
	}

	/** Checks all connections; runs the task if a connection froze or recovered. */
	void check(long nowNanos, Runnable changes) {
		boolean before = isAny();
		boolean changed = false;
		List<ClientConnection> frozen = new ArrayList<>();
		for (PooledConnection each : this.ready) {
			ClientConnection connection = each.connection;
			connection.stuckCalls.check();
			Finding finding = each.frozen.check(connection.connection.reads(), connection.pending.size(),
					connection.sentBytes(), nowNanos);
			if (finding == Finding.PROBE && !connection.probe()) {
				each.frozen.notProbed(nowNanos);
			}
			else if (finding == Finding.CHECK_LOOP) {
				int check = each.frozen.loopCheck();
				connection.connection.execute(() -> each.frozen.loopRuns(check));
			}
			if (finding == Finding.FROZEN) {
				frozen.add(connection);
			}
			changed |= finding == Finding.FROZEN || finding == Finding.RECOVERED;
		}
		if (!before && isAny()) {
			logger.warn("Instance {}: {}", this.endpoint, WHY);
		}
		else if (before && !isAny()) {
			logger.info("Instance {}: it answers again", this.endpoint);
		}
		if (changed) {
			changes.run();
		}
		frozen.forEach((connection) -> connection.connection.execute(connection.drain::leaveFrozen));
	}

	boolean isAny() {
		return this.ready.stream().anyMatch((each) -> each.frozen.isFrozen());
	}

}
