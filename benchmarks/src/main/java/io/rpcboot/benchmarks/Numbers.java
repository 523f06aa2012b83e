package io.rpcboot.benchmarks;

import java.util.Locale;

/**
 * How figures are written in reports.
 */
final class Numbers {

	private Numbers() {
	}

	static String ratio(Spread spread) {
		if (Double.isNaN(spread.median())) {
			return "-";
		}
		return factor(spread.median()) + " [" + factor(spread.min()) + "-" + factor(spread.max()) + "]";
	}

	/** Few digits, as much as a ratio can be trusted. */
	static String factor(double value) {
		if (Double.isNaN(value)) {
			return "-";
		}
		if (value >= 10) {
			return String.format(Locale.ROOT, "%.1f", value);
		}
		return String.format(Locale.ROOT, (value >= 0.1) ? "%.2f" : "%.3f", value);
	}

	static String number(double value) {
		if (Double.isNaN(value)) {
			return "-";
		}
		if (value >= 100) {
			return String.format(Locale.ROOT, "%,.0f", value);
		}
		return String.format(Locale.ROOT, (value >= 10) ? "%.1f" : "%.2f", value);
	}

}
