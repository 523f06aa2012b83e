package io.rpcboot.samples.quickstart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.rpcboot.metrics.micrometer.RpcMeters;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Dashboards, rules and alerts in {@code docs/observability} name meters that there are,
 * with tags that these have, and leave none out by accident.
 */
class ObservabilityFilesTests {

	private static final Path DOCS = Path.of("../../docs");

	private static final Path FILES = DOCS.resolve("observability");

	private static final Duration ONE = Duration.ofSeconds(1);

	private static final Pattern SERIES = Pattern.compile("(?m)^(rpc_[a-z_]+)[{ ]");

	/** What Prometheus and the histograms of Micrometer add. */
	private static final Set<String> LABELS_OF_ALL = Set.of("job", "instance", "le");

	private static final Pattern METRIC = Pattern.compile("\\b(?:[a-z_]+:)?rpc_[a-z_]+(?::[a-z0-9]+)?");

	private static final Pattern MATCHERS = Pattern.compile("([a-zA-Z_:0-9]+)\\{([^{}]*)}");

	private static final Pattern MATCHER = Pattern.compile("([a-zA-Z_]+)\\s*(?:=~|!~|!=|=)\\s*\"[^\"]*\"");

	private static final Pattern GROUPING = Pattern
		.compile("\\b(?:by|without|on|ignoring|group_left|group_right)\\s*\\(([^()]*)\\)");

	private static final Pattern UNUSED = Pattern.compile("(?m)^\\| `(rpc\\.[a-z.]+)` \\|");

	private final Map<String, RpcMeters> series = series();

	private final Map<String, Set<String>> recorded = new HashMap<>();

	@Test
	void expressions_nameExistingMetersAndTags() throws IOException {
		List<String> wrong = new ArrayList<>();
		for (String expression : expressions()) {
			Set<String> labels = new HashSet<>(LABELS_OF_ALL);
			for (String metric : metrics(expression)) {
				Set<String> own = labelsOf(metric);
				if (own == null) {
					wrong.add("no meter is written as %s: %s".formatted(metric, expression));
				}
				else {
					labels.addAll(own);
				}
			}
			groupedBy(expression).filter((label) -> !labels.contains(label))
				.forEach((label) -> wrong.add("no tag %s: %s".formatted(label, expression)));
			wrong.addAll(wrongMatchers(expression));
		}
		assertThat(wrong).isEmpty();
	}

	@Test
	void meters_areShownOrListedAsLeftOut() throws IOException {
		Set<RpcMeters> used = expressions().stream()
			.flatMap((expression) -> metrics(expression).stream())
			.filter(this.series::containsKey)
			.map(this.series::get)
			.collect(Collectors.toSet());
		Set<String> shown = used.stream().map(RpcMeters::meterName).collect(Collectors.toCollection(TreeSet::new));
		Set<String> leftOut = find(UNUSED, Files.readString(FILES.resolve("README.md"))).map((row) -> row.group(1))
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(shown.stream().filter(leftOut::contains)).as("both in a dashboard and left out").isEmpty();
		shown.addAll(leftOut);
		assertThat(shown).as("in a dashboard, or under \"Left out\" in docs/observability/README.md")
			.containsExactlyInAnyOrderElementsOf(
					Arrays.stream(RpcMeters.values()).map(RpcMeters::meterName).collect(Collectors.toSet()));
	}

	@Test
	void alerts_haveRunbookLineAndTest() throws IOException {
		String runbook = Files.readString(DOCS.resolve("operations.md"));
		String tests = Files.readString(FILES.resolve("alerts.test.yml"));
		List<Map<String, Object>> alerts = rules("alerts.yml");
		for (Map<String, Object> alert : alerts) {
			assertThat(runbook).contains("\n| `" + alert.get("alert") + "` |");
			assertThat(tests).contains("alertname: " + alert.get("alert") + "\n");
			assertThat(alert).containsKeys("for", "labels", "annotations");
		}
		assertThat(alerts).extracting((alert) -> alert.get("alert")).doesNotHaveDuplicates().isNotEmpty();
		assertThat(runbook).contains("\n## Alerts\n");
		assertThat(find(Pattern.compile("(?m)^\\| `(Rpc[A-Za-z]+)` \\|"), runbook).map((row) -> row.group(1)))
			.containsExactlyInAnyOrderElementsOf(alerts.stream().map((alert) -> (String) alert.get("alert")).toList());
	}

	@Test
	void dashboards_areComplete() throws IOException {
		Set<Object> ids = new HashSet<>();
		for (Map<String, Object> dashboard : dashboards()) {
			assertThat(ids.add(dashboard.get("uid"))).isTrue();
			Set<Object> places = new HashSet<>();
			Set<Object> numbers = new HashSet<>();
			for (Map<String, Object> panel : maps(dashboard.get("panels"))) {
				assertThat(places.add(panel.get("gridPos"))).as("place of %s", panel.get("title")).isTrue();
				assertThat(numbers.add(panel.get("id"))).as("id of %s", panel.get("title")).isTrue();
				if (!"row".equals(panel.get("type"))) {
					assertThat(maps(panel.get("targets"))).as("queries of %s", panel.get("title")).isNotEmpty();
				}
			}
		}
		assertThat(ids).hasSize(3);
	}

	/** Each series name as the registry for Prometheus writes it, with its meter. */
	private static Map<String, RpcMeters> series() {
		Map<String, RpcMeters> series = new HashMap<>();
		for (RpcMeters meter : RpcMeters.values()) {
			PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
			register(meter, registry);
			find(SERIES, registry.scrape()).forEach((line) -> series.put(line.group(1), meter));
		}
		return series;
	}

	private static void register(RpcMeters meter, MeterRegistry registry) {
		Tags tags = Tags.of(meter.tags().stream().map((key) -> Tag.of(key, "x")).toList());
		String name = meter.meterName();
		switch (meter.type()) {
			case TIMER -> Timer.builder(name).tags(tags).publishPercentileHistogram().register(registry).record(ONE);
			case DISTRIBUTION_SUMMARY ->
				DistributionSummary.builder(name).baseUnit(meter.baseUnit()).tags(tags).register(registry).record(1);
			case COUNTER -> Counter.builder(name).baseUnit(meter.baseUnit()).tags(tags).register(registry).increment();
			case GAUGE -> Gauge.builder(name, () -> 1)
				.baseUnit(meter.baseUnit())
				.tags(tags)
				.strongReference(true)
				.register(registry);
			default -> throw new IllegalStateException(
					"%s: %s (expected: a type that this test knows)".formatted(name, meter.type()));
		}
	}

	private Set<String> labelsOf(String metric) {
		RpcMeters meter = this.series.get(metric);
		return (meter != null) ? Set.copyOf(meter.tags()) : this.recorded.get(metric);
	}

	private List<String> wrongMatchers(String expression) {
		List<String> wrong = new ArrayList<>();
		find(MATCHERS, expression).filter((matchers) -> METRIC.matcher(matchers.group(1)).matches())
			.forEach((matchers) -> {
				Set<String> own = new HashSet<>(LABELS_OF_ALL);
				Set<String> ofMetric = labelsOf(matchers.group(1));
				own.addAll((ofMetric != null) ? ofMetric : Set.of());
				find(MATCHER, matchers.group(2)).map((matcher) -> matcher.group(1))
					.filter((label) -> !own.contains(label))
					.forEach((label) -> wrong.add("%s has no tag %s".formatted(matchers.group(1), label)));
			});
		return wrong;
	}

	private static Set<String> metrics(String expression) {
		// what stands in quotes is a value, but for the names of metrics
		String text = expression.contains("__name__") ? expression : expression.replaceAll("\"[^\"]*\"", "\"\"");
		return find(METRIC, text).map(MatchResult::group).collect(Collectors.toSet());
	}

	private static Stream<String> groupedBy(String expression) {
		return find(GROUPING, expression).flatMap((group) -> Arrays.stream(group.group(1).split(",")))
			.map(String::trim)
			.filter((label) -> !label.isEmpty());
	}

	/** All of rules, alerts, panels and variables; the recorded names are known then. */
	private List<String> expressions() throws IOException {
		List<String> expressions = new ArrayList<>();
		for (Map<String, Object> rule : rules("rules.yml")) {
			String expression = (String) rule.get("expr");
			expressions.add(expression);
			Set<String> labels = groupedBy(expression).collect(Collectors.toSet());
			metrics(expression).stream()
				.map(this.recorded::get)
				.filter((known) -> known != null)
				.forEach(labels::addAll);
			this.recorded.put((String) rule.get("record"), labels);
		}
		rules("alerts.yml").forEach((alert) -> expressions.add((String) alert.get("expr")));
		for (Map<String, Object> dashboard : dashboards()) {
			for (Map<String, Object> panel : maps(dashboard.get("panels"))) {
				maps(panel.getOrDefault("targets", List.of()))
					.forEach((target) -> expressions.add((String) target.get("expr")));
			}
			maps(((Map<?, ?>) dashboard.get("templating")).get("list")).stream()
				.map((variable) -> variable.get("definition"))
				.filter((definition) -> definition != null)
				.forEach((definition) -> expressions.add((String) definition));
		}
		return expressions;
	}

	private static List<Map<String, Object>> rules(String file) throws IOException {
		Map<String, Object> content = new Yaml().load(Files.readString(FILES.resolve(file)));
		return maps(content.get("groups")).stream().flatMap((group) -> maps(group.get("rules")).stream()).toList();
	}

	private static List<Map<String, Object>> dashboards() throws IOException {
		List<Map<String, Object>> dashboards = new ArrayList<>();
		try (Stream<Path> files = Files.list(FILES.resolve("grafana"))) {
			for (Path file : files.sorted().toList()) {
				// JSON is YAML
				dashboards.add(new Yaml().load(Files.readString(file)));
			}
		}
		return dashboards;
	}

	@SuppressWarnings("unchecked")
	private static List<Map<String, Object>> maps(Object list) {
		return new ArrayList<>((Collection<Map<String, Object>>) list);
	}

	private static Stream<MatchResult> find(Pattern pattern, String text) {
		return pattern.matcher(text).results();
	}

}
