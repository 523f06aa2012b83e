package io.rpcboot.benchmarks;

/**
 * What the speed gate demands of this build, as ratios of throughput to the older build.
 *
 * @param mean the least geometric mean over the cells
 * @param cell a cell misses if all of its forks are below
 */
record GateBounds(double mean, double cell) {

	static final GateBounds DEFAULT = new GateBounds(0.97, 0.93);

	GateBounds withMean(double bound) {
		return new GateBounds(bound, this.cell);
	}

	GateBounds withCell(double bound) {
		return new GateBounds(this.mean, bound);
	}

}
