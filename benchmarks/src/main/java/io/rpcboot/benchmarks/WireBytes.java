package io.rpcboot.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a call is on the wire, by the counters that the system keeps of the connections of
 * a server: {@code ss}, before and after a turn of its own.
 *
 * @param request bytes to the server, without the headers of TCP
 * @param response bytes from the server, without the headers of TCP
 * @param segments of TCP in both directions that have data
 */
record WireBytes(double request, double response, double segments) {

	/** What counting in one scenario of one system takes. */
	static final Duration EACH = Duration.ofMillis(500);

	static final WireBytes NONE = new WireBytes(Double.NaN, Double.NaN, Double.NaN);

	/**
	 * Count what one call needs.
	 * @return NaN where it cannot be counted
	 */
	static WireBytes perCall(SystemProcesses system, Scenario scenario) throws InterruptedException {
		WireBytes before = count(system.server().ready());
		Turn turn = system.run(scenario, EACH);
		WireBytes after = count(system.server().ready());
		double calls = Math.max(turn.calls(), 1);
		return new WireBytes((after.request - before.request) / calls, (after.response - before.response) / calls,
				(after.segments - before.segments) / calls);
	}

	private static WireBytes count(String port) throws InterruptedException {
		try {
			Process process = new ProcessBuilder("ss", "-tinH", "state", "established", "sport", "=", ":" + port)
				.redirectErrorStream(true)
				.start();
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			return (process.waitFor() == 0) ? parse(output) : NONE;
		}
		catch (IOException ex) {
			return NONE; // there is no ss
		}
	}

	/**
	 * Read what {@code ss} prints.
	 * @return the sums over all connections; NaN if there is none
	 */
	static WireBytes parse(String output) {
		double segments = sum(output, "data_segs_in") + sum(output, "data_segs_out");
		return new WireBytes(sum(output, "bytes_received"), sum(output, "bytes_sent"), segments);
	}

	private static double sum(String output, String counter) {
		Matcher matcher = Pattern.compile("\\b" + counter + ":([0-9]+)").matcher(output);
		double sum = Double.NaN;
		while (matcher.find()) {
			sum = (Double.isNaN(sum) ? 0 : sum) + Long.parseLong(matcher.group(1));
		}
		return sum;
	}

	String text() {
		return Double.isNaN(this.request) ? "-" : String.format(Locale.ROOT, "%s + %s, %s",
				Numbers.number(this.request), Numbers.number(this.response), Numbers.factor(this.segments));
	}

}
