package io.rpcboot.benchmarks;

import java.util.Locale;

/**
 * Figures in reports and options.
 */
public final class Numbers {

	private Numbers() {
	}

	/**
	 * Returns the value of an option.
	 * @param option the whole option, for the message
	 * @param most its largest value, 999999 at most
	 * @throws IllegalArgumentException if it is none of 1 to {@code most}
	 */
	public static int parse(String option, String value, int most) {
		if (!value.matches("[1-9][0-9]{0,5}") || Integer.parseInt(value) > most) {
			throw new IllegalArgumentException(option + " (expected: 1 to " + most + ")");
		}
		return Integer.parseInt(value);
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
