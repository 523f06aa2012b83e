package io.rpcboot.spring.actuate;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.transport.BatchingOptions.Mode;
import io.rpcboot.transport.ConnectionInfo;
import org.jspecify.annotations.Nullable;

/** Do calls travel as they should: in batches, and all of them? */
final class TrafficChecks {

	/** From so many calls under way on, batches would form. */
	static final int CALLS_FOR_A_BATCH = 16;

	/** A flush for each frame, but for chance. */
	static final double NO_BATCH = 1.2;

	private static final int MINUTES = (int) Past.LENGTH.toMinutes();

	private TrafficChecks() {
	}

	static List<Finding> batchingOff(Situation situation) {
		List<Finding> result = new ArrayList<>();
		if (situation.client() != null) {
			result.addAll(batchingOff("client", situation.client().connections(), situation.past().mean("pending")));
		}
		if (situation.server() != null) {
			result.addAll(batchingOff("server", situation.server().connections(), situation.past().mean("inFlight")));
		}
		return result;
	}

	private static List<Finding> batchingOff(String side, List<ConnectionInfo> connections, @Nullable Double usual) {
		List<ConnectionInfo> unbatched = connections.stream()
			.filter((each) -> each.batching() == Mode.NEVER && each.messages() > 0 && each.averageBatch() <= NO_BATCH)
			.toList();
		int now = unbatched.stream().mapToInt(ConnectionInfo::pending).sum();
		long calls = Math.max(now, (unbatched.isEmpty() || usual == null) ? 0 : Math.round(usual));
		if (calls < CALLS_FOR_A_BATCH) {
			return List.of();
		}
		double average = unbatched.stream().mapToDouble(ConnectionInfo::averageBatch).average().orElse(0);
		return List.of(Finding.warning(
				"Average batch %.1f with %d calls under way: the batching mode of the %s is never.".formatted(average,
						calls, side),
				"rpc.%s.batching.mode".formatted(side),
				"Set it to auto, the default: it flushes together what is queued, and delays no lone call." + (side
					.equals("client")
							? " A reference may have a mode of its own (rpc.client.references.<name>.batching.mode)."
							: ""))
			.at("connections", side, unbatched.get(0).remote()));
	}

	static List<Finding> lostOneWay(Situation situation) {
		List<Finding> result = new ArrayList<>();
		long lost = situation.past().times("lostCalls");
		if (lost > 0) {
			result.add(Finding.warning(
					"%s lost before the socket took %s, in the last %d minutes: no caller learns of it.".formatted(
							wasOrWere(lost), (lost == 1) ? "it" : "them", MINUTES),
					"rpc.client.wait-for-instance",
					"The log says why (One-way call lost). Give the client an instance and room, or let the method return a result."));
		}
		long dropped = situation.past().times("droppedCalls");
		if (dropped > 0) {
			result.add(Finding.warning(
					"%s dropped by this server before %s began, in the last %d minutes: no caller learns of it."
						.formatted(wasOrWere(dropped), (dropped == 1) ? "it" : "they", MINUTES),
					"rpc.server.limits.in-flight-calls",
					"The log says why (One-way call dropped). The server has more than it can do, or does not offer the method; add instances, or let the method return a result."));
		}
		return result;
	}

	private static String wasOrWere(long calls) {
		return (calls == 1) ? "1 one-way call was" : calls + " one-way calls were";
	}

	static List<Finding> expired(Situation situation) {
		long expired = situation.past().times("expired");
		if (expired == 0) {
			return List.of();
		}
		return List.of(Finding.warning(
				"The time of %s was over before %s sent or run, in the last %d minutes."
					.formatted(Words.count(expired, "call"), (expired == 1) ? "it was" : "they were", MINUTES),
				"rpc.server.pool.max-threads",
				"Calls wait for longer than their timeout. Look at the slowest methods; add threads if they wait for something else, instances if they compute, or allow more time."));
	}

	static List<Finding> noHistory(Situation situation) {
		return situation.past().isKnown() ? List.of()
				: List.of(Finding.note("There is no history: rates, percentiles, slow and failed calls are not known.",
						"rpc.history.enabled", "Set it to true, the default; it takes 2 MB at most."));
	}

}
