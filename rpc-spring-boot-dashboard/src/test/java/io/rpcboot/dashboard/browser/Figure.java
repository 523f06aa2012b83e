package io.rpcboot.dashboard.browser;

import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number as the page writes it.
 *
 * @param value the number, in the unit of the endpoint
 * @param half of its last digit: what rounding took or gave at most
 */
record Figure(double value, double half) {

	private static final Pattern WRITTEN = Pattern.compile("([\\d,]+)(?:\\.(\\d+))?(?: (ms|s|B|KB|MB|GB|%))?");

	private static final Map<String, Double> UNITS = Map.of("ms", 1.0, "s", 1000.0, "B", 1.0, "KB", 1024.0, "MB",
			1024.0 * 1024, "GB", 1024.0 * 1024 * 1024, "%", 0.01);

	static Figure of(String text) {
		Matcher written = WRITTEN.matcher(text);
		if (!written.matches()) {
			throw new IllegalArgumentException("figure: '" + text + "' (expected: a number)");
		}
		String decimals = Objects.requireNonNullElse(written.group(2), "");
		double unit = (written.group(3) != null) ? UNITS.get(written.group(3)) : 1;
		double number = Double.parseDouble(written.group(1).replace(",", "") + "." + decimals + "0");
		return new Figure(number * unit, unit * Math.pow(10, -decimals.length()) * 0.5001);
	}

	/** Whether it may be the number, or one between two. */
	boolean isWithin(double least, double most) {
		return this.value >= least - this.half && this.value <= most + this.half;
	}

}
