package io.rpcboot.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The speed gate: is this build as fast as an older one?
 *
 * @param cells every scenario of every pair of this build and the older one
 * @param bounds what is demanded of them
 */
record Gate(List<Cell> cells, GateBounds bounds) {

	/**
	 * One scenario of this build and the older one.
	 *
	 * @param scenario which
	 * @param after the system of this build
	 * @param before the system of the older build
	 * @param ratio of the throughput, after by before: the median of each fork, and the
	 * spread of these medians; NaN if one of the forks was not measured
	 * @param allocatedAfter bytes per call of this build, client and server
	 * @param allocatedBefore bytes per call of the older build, client and server
	 */
	record Cell(Scenario scenario, String after, String before, Spread ratio, double allocatedAfter,
			double allocatedBefore) {

		boolean isBelow(double bound) {
			return this.ratio.max() < bound;
		}

		boolean isMeasured() {
			return !Double.isNaN(this.ratio.median());
		}

		@Override
		public String toString() {
			return this.after + "/" + this.before + " " + this.scenario;
		}

	}

	static Gate of(Results results, List<Part> parts, GateBounds bounds) {
		List<Cell> cells = new ArrayList<>();
		for (Part part : parts) {
			for (Scenario scenario : part.scenarios()) {
				List<ScenarioResult> forks = results.forks(part.name(), scenario);
				for (String before : part.systems()) {
					String after = MeasuredSystem.after(before);
					if (part.systems().contains(after)) {
						cells.add(cell(scenario, after, before, forks, part.forks()));
					}
				}
			}
		}
		return new Gate(List.copyOf(cells), bounds);
	}

	private static Cell cell(Scenario scenario, String after, String before, List<ScenarioResult> forks, int expected) {
		double[] medians = forks.stream()
			.mapToDouble((fork) -> fork.ratio(after, before, Measure.THROUGHPUT))
			.filter((ratio) -> !Double.isNaN(ratio))
			.toArray();
		Spread ratio = (medians.length == expected) ? Spread.of(medians) : Spread.of();
		return new Cell(scenario, after, before, ratio, allocated(forks, after), allocated(forks, before));
	}

	private static double allocated(List<ScenarioResult> forks, String system) {
		return Spread.of(forks.stream().mapToDouble((fork) -> fork.median(system, Measure.ALLOCATED)).toArray())
			.median();
	}

	/** The geometric mean of the medians of the cells; NaN if there is none. */
	double mean() {
		return Targets.geometricMean(this.cells.stream().mapToDouble((cell) -> cell.ratio().median()).toArray());
	}

	/** Which bounds are missed, each with its figures; empty if the gate is passed. */
	List<String> misses() {
		List<String> misses = new ArrayList<>();
		if (this.cells.isEmpty()) {
			misses.add("no cell (expected: systems of this build and of the older one, such as ours,before)");
		}
		for (Cell cell : this.cells) {
			if (!cell.isMeasured()) {
				misses.add(cell + ": not measured in every fork");
			}
			else if (cell.isBelow(this.bounds.cell())) {
				misses.add(String.format(Locale.ROOT, "%s: all forks below, greatest %.3f (expected: %.3f in one)",
						cell, cell.ratio().max(), this.bounds.cell()));
			}
		}
		if (mean() < this.bounds.mean()) {
			misses.add(String.format(Locale.ROOT, "geometric mean of the cells: %.3f (expected: at least %.3f)", mean(),
					this.bounds.mean()));
		}
		return misses;
	}

}
