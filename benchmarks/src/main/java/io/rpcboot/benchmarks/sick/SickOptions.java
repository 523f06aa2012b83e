package io.rpcboot.benchmarks.sick;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What to measure, with what settings, and where.
 *
 * @param scenarios in the order of their run
 * @param instances numbers of instances of the scenarios with one that is sick
 * @param runs of each scenario but the restarts
 * @param rounds of the restarts
 * @param failure how calls fail, {@link Illness#THROWS} or the name of a status
 * @param settings properties of the processes
 * @param output directory of the results
 */
record SickOptions(List<Scenario> scenarios, List<Integer> instances, int runs, int rounds, String failure,
		Map<Whose, List<String>> settings, Path output) {

	static final String USAGE = """
			--scenario=slow,hedging  some of: %s (default: all but packets)
			--instances=3,5          instances of slow, half, failing, stopped, lossy and packets
			--runs=5                 of each scenario; at most 3 of cold, hedging and the storms
			--rounds=5               restarts of kill and rolling
			--balancer=<name>        rpc.client.load-balancer of the consumers
			--failure=throws         how calls fail: an exception, or the name of a status
			--client.<name>=<value>  a property of the consumers
			--server.<name>=<value>  a property of the instances
			--with.<name>=<value>    a property of the consumers in the second half of cold and hedging
			--without.<name>=<value> one of the first half
			--output=<directory>     where the results go (default: target/benchmarks)""".formatted(Scenario.names());

	private static final int MOST_FEW_RUNS = 3;

	/** Whose property it is. */
	enum Whose {

		/** Of all consumers. */
		CLIENT,

		/** Of all instances. */
		SERVER,

		/** Of consumers with what a scenario is about. */
		WITH,

		/** Of consumers without it. */
		WITHOUT

	}

	static SickOptions parse(String... args) {
		List<Scenario> scenarios = Scenario.anywhere();
		List<Integer> instances = List.of(3, 5);
		int runs = 5;
		int rounds = 5;
		String failure = Illness.THROWS;
		Path output = Path.of("target", "benchmarks");
		Map<Whose, List<String>> settings = new EnumMap<>(Whose.class);
		for (String arg : args) {
			String[] parts = arg.split("=", 2);
			String value = (parts.length == 2) ? parts[1] : "";
			switch (parts[0]) {
				case "--scenario" -> scenarios = Stream.of(value.split(",")).map(Scenario::of).toList();
				case "--instances" ->
					instances = Stream.of(value.split(",")).map((each) -> number(arg, each, 2, 9)).toList();
				case "--runs" -> runs = number(arg, value, 1, 99);
				case "--rounds" -> rounds = number(arg, value, 1, 99);
				case "--balancer" -> add(settings, Whose.CLIENT, "--rpc.client.load-balancer=" + value);
				case "--failure" -> failure = value;
				case "--output" -> output = Path.of(value);
				default -> setting(arg, settings);
			}
		}
		return new SickOptions(scenarios, instances, runs, rounds, failure, settings, output);
	}

	private static void setting(String arg, Map<Whose, List<String>> settings) {
		for (Whose whose : Whose.values()) {
			String prefix = "--" + whose.name().toLowerCase(Locale.ROOT) + ".";
			if (arg.startsWith(prefix) && arg.contains("=")) {
				add(settings, whose, "--" + arg.substring(prefix.length()));
				return;
			}
		}
		throw new IllegalArgumentException("option: " + arg + " (expected one of)\n" + USAGE);
	}

	private static void add(Map<Whose, List<String>> settings, Whose whose, String property) {
		settings.computeIfAbsent(whose, (key) -> new ArrayList<>()).add(property);
	}

	private static int number(String arg, String value, int least, int most) {
		if (!value.matches("[0-9]{1,2}") || Integer.parseInt(value) < least || Integer.parseInt(value) > most) {
			throw new IllegalArgumentException(arg + " (expected: " + least + " to " + most + ")");
		}
		return Integer.parseInt(value);
	}

	/**
	 * The last one of each name: Spring would take all values of a name as a list.
	 * @param properties with their dashes
	 */
	static List<String> last(List<String> properties) {
		Map<String, String> byName = new LinkedHashMap<>();
		properties.forEach((each) -> byName.put(each.split("=", 2)[0], each));
		return List.copyOf(byName.values());
	}

	/** For scenarios whose medians need no more. */
	int fewRuns() {
		return Math.min(this.runs, MOST_FEW_RUNS);
	}

	/** Properties of consumers or instances, with more of a scenario. */
	List<String> with(Whose whose, String... more) {
		List<String> all = new ArrayList<>(List.of(more));
		all.addAll(this.settings.getOrDefault(whose, List.of()));
		return all;
	}

}
