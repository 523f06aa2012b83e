package io.rpcboot.dashboard.browser;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.rpcboot.dashboard.browser.shop.Application;
import io.rpcboot.dashboard.browser.shop.OrderService;
import io.rpcboot.spring.actuate.descriptor.StreamDescriptor;
import io.rpcboot.spring.actuate.descriptor.TlsDescriptor;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Numbers on the page are those of the endpoint, and of what happens. */
class LiveFiguresBrowserIntegrationTests extends AbstractLiveDashboard {

	private static final int HELD = 24;

	/** Statuses, of which any may be, and TLS, which the shop does not use. */
	private static final Set<String> NOT_IN_SHOP = Set.of("failures", "tls");

	@Test
	void overview_showsEndpointValues_underLoad() {
		open("Overview", "overview");
		Readings readings = Readings.ofOneRefresh(this.browser, this.actuator);
		for (String side : List.of("server", "client")) {
			String card = ".of-" + side;
			List<String> stats = this.browser.texts(card + " .stat dd");
			readings.assertShown(stats.get(0), "/" + side + "/callsPerSecond");
			readings.assertShown(stats.get(1), "/" + side + "/errorsPerSecond");
			readings.assertShown(stats.get(2), "/" + side + "/p50Millis");
			readings.assertP99(stats.get(3), side + " p99", (reading) -> reading.at("/" + side + "/p99Millis"),
					(reading) -> 5 * reading.at("/" + side + "/callsPerSecond").asDouble());
			String[] memory = named(card, "Memory").split(" of ");
			readings.assertShown(memory[0], "/" + side + "/memory/used");
			readings.assertShown(memory[1], "/" + side + "/memory/limit");
			readings.assertShown(named(card, "Event loops"), "/" + side + "/loops/busyShare");
			readings.assertShown(named(card, "Frames per write"), "/" + side + "/batch");
			assertThat(Figure.of(stats.get(0)).value()).as("calls of the " + side).isPositive();
			assertThat(Figure.of(stats.get(1)).value()).as("errors of the " + side).isPositive();
		}
		assertThat(named("main", "Version")).startsWith(readings.last().at("/version").asString() + " on Java");
		assertThat(named(".of-server", "Connections")).isEqualTo("1");
		assertThat(named(".of-client", "Connections")).isEqualTo("4");
		List<List<String>> methods = table("Busiest methods");
		assertThat(methods).hasSameSizeAs(readings.last().at("/methods")).hasSizeGreaterThanOrEqualTo(7);
		for (List<String> row : methods) {
			Function<JsonNode, JsonNode> method = (reading) -> methodOf(reading, row);
			readings.assertShown(row.get(2), row.get(0), method.andThen((each) -> each.at("/callsPerSecond")));
			readings.assertP99(row.get(5), row.get(0), method.andThen((each) -> each.at("/p99Millis")),
					(reading) -> method.apply(reading).at("/calls").asDouble());
			readings.assertShown(row.get(6), row.get(0), method.andThen((each) -> each.at("/maxMillis")));
		}
		assertThat(this.browser.errors()).isEmpty();
	}

	/** That of a row: the method without packages, and its side. */
	private static JsonNode methodOf(JsonNode summary, List<String> row) {
		return StreamSupport.stream(summary.at("/methods").spliterator(), false)
			.filter((each) -> each.at("/side").asString().equals(row.get(1)))
			.filter((each) -> row.get(0)
				.equals((each.at("/service").asString() + "." + each.at("/method").asString())
					.replaceAll("\\b(?:[a-z]\\w*\\.)+(?=[A-Z])", "")))
			.findFirst()
			.orElseThrow(() -> new AssertionError("not said by the endpoint: " + row));
	}

	@Test
	void referencesInstancesAndConnections_showEndpointValues_underLoad() {
		open("Overview", "overview");
		assertThat(row("References, those that are not ready first", "PaymentService").subList(1, 3))
			.containsExactly("ready", "2 of 2");
		assertThat(row("Instances, those in trouble first", this.shop.endpoint(Application.STOCK)).subList(1, 3))
			.containsExactly("stock", "ready");
		assertThat(row("Instances, those in trouble first", this.shop.endpoint(Application.PAYMENT)).subList(1, 3))
			.containsExactly("fixed address", "ready");
		open("Instances", "instances");
		assertThat(table("All instances")).hasSize(4).allSatisfy((row) -> {
			assertThat(row.get(2)).isEqualTo("ready");
			assertThat(List.of(row.get(8), row.get(10), row.get(11))).as("connections, services, reason")
				.containsExactly("1", "1", "");
		});
		open("Connections", "connections");
		Readings readings = Readings.ofOneRefresh(this.browser, this.actuator, "connections");
		List<List<String>> fromClients = table("Connections of the server");
		assertThat(fromClients).hasSize(1);
		assertThat(fromClients.get(0).get(1)).isEqualTo("shop-web");
		readings.assertShown(fromClients.get(0).get(10), "/server/0/messages");
		for (List<String> row : table("Connections of the client")) {
			Function<JsonNode, JsonNode> connection = (reading) -> StreamSupport
				.stream(reading.at("/client").spliterator(), false)
				.filter((each) -> each.at("/remote").asString().equals(row.get(0)))
				.findFirst()
				.orElseThrow();
			assertThat(row.get(1)).isEqualTo(connection.apply(readings.last()).at("/application").asString());
			readings.assertShown(row.get(10), row.get(0), connection.andThen((each) -> each.at("/messages")));
		}
		assertThat(this.browser.errors()).isEmpty();
	}

	@Test
	void methodTotals_matchEndpointValues_underLoad() {
		open("find(long)", "methods", "server", ORDERS, "find(long)");
		Readings readings = Readings.ofOneRefresh(this.browser, this.actuator, "methods", "server", ORDERS,
				"find(long)");
		List<String> stats = this.browser.texts(".stat dd");
		readings.assertShown(stats.get(0), "/stats/callsPerSecond");
		readings.assertP99(stats.get(3), "p99", (reading) -> reading.at("/stats/p99Millis"),
				(reading) -> reading.at("/stats/calls").asDouble());
		readings.assertShown(stats.get(5), "/stats/calls");
		open("OrderService", "services", ORDERS);
		Readings service = Readings.ofOneRefresh(this.browser, this.actuator, "services", ORDERS);
		service.assertShown(named("main", "Calls since the start"), "/calls");
		assertThat(this.browser.errors()).isEmpty();
	}

	@Test
	void fakeDocuments_haveOnlyFieldsOfRealDocuments() {
		FakeProcess invented = new FakeProcess(8, 24);
		Map<String, Object> documents = Map.of("services", invented.services(), "references", invented.references(),
				"methods", invented.methods(), "instances", invented.peers().instances(), "connections",
				invented.peers().connections());
		assertThat(fields(JsonMapper.shared().valueToTree(invented.summary()))).isSubsetOf(fields(this.actuator.rpc()));
		documents.forEach((name, document) -> assertThat(fields(JsonMapper.shared().valueToTree(document))).as(name)
			.isSubsetOf(fields(this.actuator.rpc(name))));
		JsonNode history = JsonMapper.shared().valueToTree(invented.history().since(0));
		assertThat(fields(history)).isSubsetOf(fields(this.actuator.rpc("history")));
	}

	@Test
	void fakeStreams_haveOnlyFieldsOfRealOnes() {
		JsonNode streams = JsonMapper.shared().valueToTree(new FakeProcess(8, 24).peers().streams());
		assertThat(streams.propertyNames()).isSubsetOf(components(StreamDescriptor.All.class));
		assertThat(streams.at("/server").values())
			.allSatisfy((each) -> assertThat(each.propertyNames()).isSubsetOf(components(StreamDescriptor.class)));
		assertThat(streams.at("/server/0/sent").propertyNames())
			.isSubsetOf(components(StreamDescriptor.Elements.class));
	}

	private static List<String> components(Class<?> type) {
		return Stream.of(type.getRecordComponents()).map(RecordComponent::getName).toList();
	}

	@Test
	void fakeTls_hasOnlyFieldsOfRealOne() {
		List<String> real = components(TlsDescriptor.class);
		assertThat(JsonMapper.shared().valueToTree(FakeProcess.tls()).values())
			.allSatisfy((each) -> assertThat(each.propertyNames()).isSubsetOf(real));
	}

	/** Paths to all that is in a document; things of a list are as one. */
	private static Set<String> fields(JsonNode document) {
		Set<String> fields = new TreeSet<>();
		document.properties().forEach((field) -> {
			fields.add(field.getKey());
			if (!NOT_IN_SHOP.contains(field.getKey())) {
				fields(field.getValue()).forEach((below) -> fields.add(field.getKey() + "/" + below));
			}
		});
		document.values().forEach((each) -> {
			if (document.isArray()) {
				fields.addAll(fields(each));
			}
		});
		return fields;
	}

	/** Nobody else calls this method, so that the test knows what is right. */
	@Test
	void methodView_showsExactCallsAndErrors() {
		open("OrderService", "services", ORDERS);
		assertThat(this.browser.texts(".plain li")).contains("cancel(long)");
		OrderService orders = this.shop.customers().orders();
		IntStream.range(0, 1_200).forEach(orders::cancel);
		IntStream.rangeClosed(1, 34)
			.forEach((id) -> assertThatThrownBy(() -> orders.cancel(-id))
				.hasMessageContaining("IllegalArgumentException"));
		open("cancel(long)", "methods", "server", ORDERS, "cancel(long)");
		this.browser.await(() -> this.browser.texts(".stat dd").get(5).equals("1,234"));
		Readings readings = Readings.ofOneRefresh(this.browser, this.actuator, "methods", "server", ORDERS,
				"cancel(long)");
		List<String> stats = this.browser.texts(".stat dd");
		assertThat(stats.get(5)).isEqualTo("1,234");
		assertThat(readings.last().at("/stats/errors").asInt()).isEqualTo(34);
		readings.assertShown(stats.get(0), "/stats/callsPerSecond");
		readings.assertShown(stats.get(1), "/stats/errorsPerSecond");
		assertThat(Figure.of(stats.get(1)).value()).isPositive();
		assertThat(table("Failed calls, latest first")).hasSameSizeAs(readings.last().at("/failed"))
			.allSatisfy((row) -> assertThat(row.get(3)).isEqualTo("application"));
		open("OrderService", "services", ORDERS);
		assertThat(this.browser.texts(".plain li")).doesNotContain("cancel(long)");
		assertThat(this.browser.errors()).isEmpty();
	}

	@Test
	void bars_showPendingCalls() {
		ExecutorService callers = Executors.newFixedThreadPool(HELD);
		OrderService orders = this.shop.customers().orders();
		List<CompletableFuture<Void>> held = IntStream.range(0, HELD)
			.mapToObj((number) -> CompletableFuture.runAsync(orders::settle, callers))
			.toList();
		try {
			open("Overview", "overview");
			this.browser.await(() -> held("/server/pool/busy") >= HELD && held("/client/pendingCalls") >= HELD);
			Readings.ofOneRefresh(this.browser, this.actuator);
			assertThat(bar(".of-server", "Threads busy", 200)).isBetween(HELD, HELD + CUSTOMERS);
			assertThat(bar(".of-client", "Pending calls", 65_536)).isBetween(HELD, HELD + CUSTOMERS);
			this.shop.customers().leave();
			Readings.ofOneRefresh(this.browser, this.actuator);
			assertThat(bar(".of-server", "Threads busy", 200)).isEqualTo(HELD);
			assertThat(bar(".of-client", "Pending calls", 65_536)).isEqualTo(HELD);
			assertThat(named(".of-server", "In flight")).isEqualTo("24");
			assertThat(table("Instances, those in trouble first").stream()
				.mapToInt((row) -> Integer.parseInt(row.get(3)))
				.sum()).isEqualTo(HELD);
			open("Connections", "connections");
			Readings readings = Readings.ofOneRefresh(this.browser, this.actuator, "connections");
			JsonNode connection = readings.last().at("/server/0");
			List<String> row = table("Connections of the server").get(0);
			assertThat(row.get(3)).isEqualTo("native");
			assertThat(row.get(4)).isEqualTo("clear text");
			assertThat(row.get(5)).isEqualTo("24");
			assertThat(row.get(7)).as("may send")
				.isEqualTo("%,d"
					.formatted(connection.at("/grantedCalls").asLong() - connection.at("/usedCalls").asLong()));
			readings.assertShown(row.get(10), "/server/0/messages");
		}
		finally {
			this.shop.bank().open();
			held.forEach(CompletableFuture::join);
			callers.shutdown();
		}
		try {
			open("Overview", "overview");
			this.browser.await(() -> bar(".of-server", "Threads busy", 200) == 0);
			assertThat(bar(".of-client", "Pending calls", 65_536)).isZero();
		}
		finally {
			this.shop.customers().enter(CUSTOMERS, 8);
		}
		assertThat(this.browser.errors()).isEmpty();
	}

	private int held(String pointer) {
		return this.actuator.rpc().at(pointer).asInt();
	}

	/** The number of a bar, which is as long as its text says. */
	private int bar(String card, String name, int limit) {
		String[] text = named(card, name).split(" of ");
		assertThat((int) Figure.of(text[1]).value()).isEqualTo(limit);
		int value = (int) Figure.of(text[0]).value();
		String track = card + " [aria-label='" + name + "']";
		assertThat(this.browser.find(track).getAttribute("aria-valuenow")).isEqualTo(String.valueOf(value));
		double wide = width(track + " div") / width(track);
		assertThat(Math.abs(wide - (double) value / limit)).as("part of the bar").isLessThan(0.01);
		return value;
	}

	private double width(String selector) {
		return ((Number) Objects.requireNonNull(this.browser
			.script("return document.querySelector(\"" + selector + "\").getBoundingClientRect().width")))
			.doubleValue();
	}

	private void open(String heading, String... segments) {
		this.browser.open(this.actuator.page(segments), heading);
	}

}
