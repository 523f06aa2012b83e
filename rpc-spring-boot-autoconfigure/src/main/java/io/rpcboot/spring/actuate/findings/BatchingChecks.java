package io.rpcboot.spring.actuate.findings;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.rpcboot.spring.actuate.descriptor.Finding;
import io.rpcboot.spring.actuate.descriptor.Formats;
import io.rpcboot.transport.BatchingOptions.Mode;
import io.rpcboot.transport.ConnectionInfo;
import org.jspecify.annotations.Nullable;

/** Checks whether frames are written in batches, and whether there is a history. */
final class BatchingChecks {

	/** Pending calls from which on batches would form. */
	static final int CALLS_FOR_A_BATCH = 16;

	/**
	 * Mean frames of a flush up to which nothing is batched; above 1, because calls
	 * coincide by chance.
	 */
	static final double NO_BATCH = 1.2;

	/** Flushes per second from which on most of them could have been combined. */
	static final int MANY_FLUSHES = 1000;

	private BatchingChecks() {
	}

	static List<Finding> batchingOff(DiagnosticSnapshot situation) {
		List<Finding> result = new ArrayList<>();
		if (situation.client() != null) {
			result.addAll(batchingOff("client", situation.client().connections(), situation.past(), "pending"));
		}
		if (situation.server() != null) {
			result.addAll(batchingOff("server", situation.server().connections(), situation.past(), "inFlight"));
		}
		return result;
	}

	private static List<Finding> batchingOff(String side, List<ConnectionInfo> connections, HistoryWindow past,
			String calls) {
		List<ConnectionInfo> unbatched = connections.stream()
			.filter((each) -> each.batching() == Mode.NEVER && each.messages() > 0 && each.averageBatch() <= NO_BATCH)
			.toList();
		if (unbatched.isEmpty()) {
			return List.of();
		}
		long underWay = Math.max(unbatched.stream().mapToInt(ConnectionInfo::pending).sum(),
				rounded(past.mean(calls, HistoryWindow.MOMENT)));
		long flushes = rounded(past.mean(side + "Flushes", HistoryWindow.MOMENT));
		if (underWay < CALLS_FOR_A_BATCH && flushes < MANY_FLUSHES) {
			return List.of();
		}
		double average = unbatched.stream().mapToDouble(ConnectionInfo::averageBatch).average().orElse(0);
		String text = String.format(Locale.ROOT,
				"Each frame is written by itself (%.1f in a flush) with %s: the batching mode of the %s is never.",
				average, (underWay < CALLS_FOR_A_BATCH) ? Formats.grouped(flushes) + " flushes in a second"
						: Formats.grouped(underWay) + " pending calls",
				side);
		return List.of(Finding.warning(text, "rpc.%s.batching.mode".formatted(side),
				"Set it to auto, the default: it flushes together what is queued, and delays no lone call." + (side
					.equals("client")
							? " A reference may have a mode of its own (rpc.client.references.<name>.batching.mode)."
							: ""))
			.at("connections", side, unbatched.get(0).remote()));
	}

	private static long rounded(@Nullable Double value) {
		return (value != null) ? Math.round(value) : 0;
	}

	static List<Finding> noHistory(DiagnosticSnapshot situation) {
		return situation.past().isKnown() ? List.of()
				: List.of(Finding.note("There is no history: rates, percentiles, slow and failed calls are not known.",
						"rpc.history.enabled", "Set it to true, the default; it takes 2 MB at most."));
	}

}
