package io.rpcboot.benchmarks.sick;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rpcboot.benchmarks.sick.SickOptions.Whose;

/** What is tried, and the settings that it is about. */
enum Scenario {

	/** One takes 100 times as long. */
	SLOW,

	/** One fails half of its calls. */
	HALF,

	/** One fails all of its calls at once. */
	FAILING,

	/** One is suspended. */
	STOPPED,

	/** The way to one loses packets. */
	LOSSY,

	/** The kernel loses packets of one. */
	PACKETS,

	/** One after the other is killed and replaced. */
	KILL,

	/** One after the other shuts down and is replaced. */
	ROLLING,

	/** One starts cold. */
	COLD,

	/** All take longer than anybody waits. */
	STORM_SLOW,

	/** All fail at once. */
	STORM_FAILING,

	/** A few calls of all stall. */
	HEDGING;

	/**
	 * Properties of the consumers that this scenario needs.
	 * @param whose {@link Whose#CLIENT} for all its runs, else for the runs with or
	 * without what it is about
	 */
	List<String> settings(Whose whose) {
		return switch (this) {
			case COLD -> switch (whose) {
				case CLIENT -> List.of("--rpc.client.ejection.enabled=false");
				case WITHOUT -> List.of("--rpc.client.routing.slow-start=0");
				default -> List.of();
			};
			case HEDGING ->
				(whose == Whose.WITH) ? List.of("--rpc.client.services.Work.methods.read.hedge-after=0") : List.of();
			default -> List.of();
		};
	}

	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	static Scenario of(String name) {
		return Stream.of(values())
			.filter((each) -> each.toString().equals(name))
			.findFirst()
			.orElseThrow(
					() -> new IllegalArgumentException("--scenario: " + name + " (expected some of: " + names() + ")"));
	}

	/** Those that need no surroundings of their own. */
	static List<Scenario> anywhere() {
		return Stream.of(values()).filter((each) -> each != PACKETS).toList();
	}

	static String names() {
		return Stream.of(values()).map(Scenario::toString).collect(Collectors.joining(", "));
	}

}
