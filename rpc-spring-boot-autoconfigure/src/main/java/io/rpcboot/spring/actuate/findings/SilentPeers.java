package io.rpcboot.spring.actuate.findings;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

import io.rpcboot.transport.ConnectionInfo;

/**
 * For how long servers have sent nothing although calls are pending there: compares each
 * look with those before. Keeps what the connections of the last look need. Thread-safe.
 */
public final class SilentPeers {

	private final LongSupplier nanoClock;

	private Map<String, Seen> before = Map.of();

	public SilentPeers(LongSupplier nanoClock) {
		this.nanoClock = nanoClock;
	}

	/**
	 * Look at the connections of a client.
	 * @param connections all of them
	 * @return by remote address, zero at the first look; an address whose connections
	 * have nothing pending is left out
	 */
	public synchronized Map<String, Duration> look(List<ConnectionInfo> connections) {
		Map<String, Integer> reads = new HashMap<>();
		connections.forEach((each) -> reads.merge(each.remote(), each.reads(), Integer::sum));
		long now = this.nanoClock.getAsLong();
		Map<String, Seen> seen = new HashMap<>();
		Map<String, Duration> result = new HashMap<>();
		for (ConnectionInfo each : connections) {
			if (each.pending() > 0) {
				Seen last = this.before.get(each.remote());
				int readsNow = reads.getOrDefault(each.remote(), 0);
				long since = (last != null && last.reads() == readsNow) ? last.sinceNanos() : now;
				seen.put(each.remote(), new Seen(readsNow, since));
				result.put(each.remote(), Duration.ofNanos(now - since));
			}
		}
		this.before = seen;
		return result;
	}

	/**
	 * What was seen of an address.
	 *
	 * @param reads reads of its connections together
	 * @param sinceNanos when this number was seen first
	 */
	private record Seen(int reads, long sinceNanos) {
	}

}
