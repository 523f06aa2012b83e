package io.rpcboot.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Compares the violations of a rule with the list of those that are allowed for now. */
final class ShrinkingList {

	private ShrinkingList() {
	}

	/** New violations and outdated entries, one line each. */
	static List<String> problems(Set<String> allowed, Set<String> found) {
		Map<String, Integer> counted = new TreeMap<>();
		found.forEach((name) -> counted.put(name, 1));
		Map<String, Integer> bounds = new TreeMap<>();
		allowed.forEach((name) -> bounds.put(name, 1));
		return problems(bounds, counted);
	}

	/**
	 * New violations, violations that have grown, and outdated entries, one line each.
	 * @param allowed the bound of each name in the list
	 * @param found the size of each violation by name
	 */
	static List<String> problems(Map<String, Integer> allowed, Map<String, Integer> found) {
		List<String> result = new ArrayList<>();
		found.forEach((name, count) -> {
			Integer bound = allowed.get(name);
			if (bound == null) {
				result.add(name + ": breaks the rule (" + count + ")");
			}
			else if (count > bound) {
				result.add("%s: %d (expected: at most %d)".formatted(name, count, bound));
			}
		});
		allowed.keySet()
			.stream()
			.filter((name) -> !found.containsKey(name))
			.sorted()
			.forEach((name) -> result.add(name + ": keeps the rule; remove it from the list"));
		return result;
	}

}
