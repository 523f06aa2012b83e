package io.rpcboot.dashboard.browser;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the endpoint said from just after one refresh of the page until just after the
 * next. It was asked more often than its numbers change, so that a number that the page
 * was told in between is one of these, or one between two of them.
 */
final class Readings {

	private final List<JsonNode> seen = new ArrayList<>();

	private Readings() {
	}

	/** Wait for the next refresh but one: the next may be under way. */
	static Readings ofOneRefresh(Browser browser, Actuator actuator, String... segments) {
		Readings readings = new Readings();
		awaitRefresh(browser, () -> {
		});
		awaitRefresh(browser, () -> readings.seen.add(actuator.rpc(segments)));
		readings.seen.add(actuator.rpc(segments));
		return readings;
	}

	private static void awaitRefresh(Browser browser, Runnable meanwhile) {
		String before = browser.find(".age").getText();
		assertThat(before).startsWith("Live");
		browser.await(() -> {
			meanwhile.run();
			return !browser.find(".age").getText().equals(before);
		});
	}

	JsonNode last() {
		return this.seen.get(this.seen.size() - 1);
	}

	/** What the page shows is what the endpoint said. */
	void assertShown(String text, String pointer) {
		assertShown(text, pointer, (reading) -> reading.at(pointer));
	}

	/**
	 * A p99 is shown from 100 calls on: {@code calls} is what the endpoint has counted.
	 */
	void assertP99(String text, String what, Function<JsonNode, JsonNode> value, ToDoubleFunction<JsonNode> calls) {
		DoubleSummaryStatistics said = this.seen.stream().mapToDouble(calls).summaryStatistics();
		if (said.getMax() < 100 || text.equals("–") && said.getMin() < 100) {
			assertThat(text).as(what + " of few calls").isEqualTo("–");
		}
		else {
			assertShown(text, what, value);
		}
	}

	void assertShown(String text, String what, Function<JsonNode, JsonNode> value) {
		DoubleSummaryStatistics said = this.seen.stream()
			.map(value)
			.filter(JsonNode::isNumber)
			.mapToDouble(JsonNode::asDouble)
			.summaryStatistics();
		assertThat(said.getCount()).as(what).isEqualTo(this.seen.size());
		assertThat(Figure.of(text))
			.as("%s, which the endpoint said to be from %s to %s", what, said.getMin(), said.getMax())
			.matches((figure) -> figure.isWithin(said.getMin(), said.getMax()));
	}

}
