package io.rpcboot.hostile.victim;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a victim has in use after a garbage collection.
 *
 * @param heap bytes of the heap
 * @param direct bytes outside the heap that buffers in use take
 * @param reserved bytes outside the heap in all; pools keep some for later
 * @param connections of the server
 * @param inFlight calls of the server
 * @param threads names of the engine's threads
 */
public record Figures(long heap, long direct, long reserved, int connections, int inFlight, List<String> threads) {

	private static final double MEGABYTE = 1 << 20;

	String encode() {
		return "%d %d %d %d %d %s".formatted(this.heap, this.direct, this.reserved, this.connections, this.inFlight,
				String.join(",", this.threads));
	}

	static Figures decode(String text) {
		String[] words = text.split(" ", -1);
		return new Figures(Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]),
				Integer.parseInt(words[3]), Integer.parseInt(words[4]),
				words[5].isEmpty() ? List.of() : List.of(words[5].split(",")));
	}

	/** The event loops and acceptors of one that are gone in the other. */
	public Set<String> lostSince(Figures before) {
		Set<String> lost = before.lastingThreads();
		lost.removeAll(this.threads);
		return lost;
	}

	/** Workers end after a minute without work, so they are not among these. */
	private Set<String> lastingThreads() {
		return this.threads.stream()
			.filter((each) -> !each.startsWith("rpc-worker-") && !each.startsWith("rpc-hook-")
					&& !each.startsWith("rpc-tls-") && !each.startsWith("rpc-virtual-"))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	public static String megabytes(long bytes) {
		return "%.1f".formatted(bytes / MEGABYTE);
	}

}
