package io.rpcboot.benchmarks;

/**
 * One row of the table of targets. A figure that was not measured and a target that does
 * not exist are NaN.
 *
 * @param cell what is measured
 * @param bound on which side of the target a good figure is
 * @param loopTarget target with event loops only
 * @param loop figure of it
 * @param target target without a setting
 * @param figure figure of it
 */
record TargetRow(String cell, Bound bound, double loopTarget, Figure loop, double target, Figure figure) {

	/** On which side of the target a good figure is. */
	enum Bound {

		/** The target or more. */
		AT_LEAST,

		/** The target or less. */
		AT_MOST

	}

	/**
	 * A figure and where it comes from.
	 *
	 * @param value the figure; NaN if it was not measured
	 * @param of the worst cell, if the row stands for several; else empty
	 */
	record Figure(double value, String of) {

		static final Figure NONE = new Figure(Double.NaN, "");

		static Figure of(double value) {
			return new Figure(value, "");
		}

	}

	boolean loopMissed() {
		return missed(this.loopTarget, this.loop.value());
	}

	boolean missed() {
		return missed(this.target, this.figure.value());
	}

	private boolean missed(double wanted, double value) {
		if (Double.isNaN(wanted) || Double.isNaN(value)) {
			return false;
		}
		return (this.bound == Bound.AT_LEAST) ? value < wanted : value > wanted;
	}

}
