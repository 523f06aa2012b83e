package io.rpcboot.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Turns by cell and system, both in the order in which they are reported.
 *
 * @param <C> type of the cells
 */
final class Turns<C> {

	private final Map<C, Map<String, List<Turn>>> turns = new LinkedHashMap<>();

	Turns(List<C> cells, List<String> systems) {
		cells.forEach((cell) -> {
			Map<String, List<Turn>> bySystem = new LinkedHashMap<>();
			systems.forEach((system) -> bySystem.put(system, new ArrayList<>()));
			this.turns.put(cell, bySystem);
		});
	}

	/** One system in one cell. */
	interface Reader<C> {

		void read(C cell, String system, List<Turn> list);

	}

	/** Returns the turns of a system in a cell, which may be added; none if unknown. */
	List<Turn> of(C cell, String system) {
		return this.turns.getOrDefault(cell, Map.of()).getOrDefault(system, List.of());
	}

	Set<C> cells() {
		return this.turns.keySet();
	}

	/** Reads each system in each cell that has turns. */
	void forEach(Reader<C> reader) {
		this.turns.forEach((cell, systems) -> systems.forEach((system, list) -> {
			if (!list.isEmpty()) {
				reader.read(cell, system, list);
			}
		}));
	}

	Spread ratio(C cell, String system, String peer, Measure measure) {
		return Spread.ofRatios(of(cell, system), of(cell, peer), measure);
	}

}
