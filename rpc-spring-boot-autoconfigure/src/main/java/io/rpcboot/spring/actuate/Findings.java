package io.rpcboot.spring.actuate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * What the engine thinks is wrong, in words, with the property to turn. Each check is a
 * method of its own that looks at a {@link Situation} and finds something or nothing.
 */
final class Findings {

	/** Most findings of one check: 500 references without instance are one trouble. */
	static final int MOST_OF_A_CHECK = 5;

	/** The summary stays small whatever is wrong. */
	static final int MOST = 20;

	private static final List<Function<Situation, List<Finding>>> CHECKS = List.of(OutsideChecks::lostRegistry,
			OutsideChecks::withoutInstance, OutsideChecks::incompatible, OutsideChecks::frozen,
			CapacityChecks::usedUpPool, CapacityChecks::fullAccount, CapacityChecks::busyLoops,
			CapacityChecks::fullClient, CapacityChecks::flood, TrafficChecks::batchingOff, TrafficChecks::lostOneWay,
			TrafficChecks::expired, TrafficChecks::noHistory, MethodChecks::failing, MethodChecks::blockingLoop,
			MethodChecks::slow);

	private Findings() {
	}

	/**
	 * Look for everything.
	 * @param situation how things stand
	 * @return the worst first; empty if nothing was found
	 */
	static List<Finding> of(Situation situation) {
		List<Finding> result = new ArrayList<>();
		for (Function<Situation, List<Finding>> check : CHECKS) {
			result.addAll(limited(check.apply(situation)));
		}
		result.sort(Comparator.comparing(Finding::severity));
		return (result.size() > MOST) ? worst(result) : result;
	}

	private static List<Finding> worst(List<Finding> sorted) {
		List<Finding> result = new ArrayList<>(sorted.subList(0, MOST - 1));
		result.add(Finding.note("%d more findings are left out.".formatted(sorted.size() - result.size()), null,
				"Mend the worst first."));
		return result;
	}

	private static List<Finding> limited(List<Finding> found) {
		if (found.size() <= MOST_OF_A_CHECK) {
			return found;
		}
		Finding last = found.get(MOST_OF_A_CHECK - 1);
		List<Finding> result = new ArrayList<>(found.subList(0, MOST_OF_A_CHECK - 1));
		result.add(new Finding(last.severity(),
				"%s And %d more like it.".formatted(last.text(), found.size() - MOST_OF_A_CHECK), last.property(),
				last.advice(), last.link()));
		return result;
	}

}
