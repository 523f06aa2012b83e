package io.rpcboot.spring.actuate.health;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

import io.rpcboot.spring.autoconfigure.client.RpcClientProperties;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.Applications.GreeterService;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** The manifest of docs/kubernetes.md beside the defaults of the code. */
@Timeout(120)
class KubernetesDocumentTests {

	private static final Path PAGE = Path.of("..", "docs", "kubernetes.md");

	/** Default of Spring Boot. */
	private static final int HTTP_PORT = 8080;

	private static final Map<String, Object> defaults = new LinkedHashMap<>();

	private static String page = "";

	@BeforeAll
	@SuppressWarnings("unchecked")
	static void read() throws IOException {
		page = Files.readString(PAGE);
		try (InputStream in = RpcClientProperties.class
			.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
			Map<String, Object> metadata = JsonMapper.shared().readValue(in, Map.class);
			((List<Map<String, Object>>) metadata.get("properties"))
				.forEach((each) -> defaults.put((String) each.get("name"), each.get("defaultValue")));
		}
	}

	private static String block(String language) {
		Matcher block = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(page);
		assertThat(block.find()).as("a block of " + language).isTrue();
		return block.group(1);
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> document(String kind) {
		return StreamSupport.stream(new Yaml().loadAll(block("yaml")).spliterator(), false)
			.map((each) -> (Map<String, Object>) each)
			.filter((each) -> each.get("kind").equals(kind))
			.findFirst()
			.orElseThrow();
	}

	/** Follows names of maps and indexes of lists. */
	@SuppressWarnings("unchecked")
	private static <T> T at(Object from, Object... path) {
		Object value = from;
		for (Object step : path) {
			value = (step instanceof Integer index) ? ((List<Object>) value).get(index)
					: ((Map<String, Object>) value).get(step);
			assertThat(value).as("%s of %s", step, List.of(path)).isNotNull();
		}
		return (T) value;
	}

	private static Map<String, Object> container() {
		return at(document("Deployment"), "spec", "template", "spec", "containers", 0);
	}

	private static int seconds(String property) {
		Object value = defaults.get(property);
		assertThat(value).as(property).isNotNull();
		return (int) DurationStyle.detectAndParse(value.toString()).toSeconds();
	}

	private static Properties properties() throws IOException {
		Properties properties = new Properties();
		properties.load(new StringReader(block("properties")));
		return properties;
	}

	private static int port(String name) {
		List<Map<String, Object>> ports = at(container(), "ports");
		return ports.stream()
			.filter((each) -> each.get("name").equals(name))
			.map((each) -> (Integer) each.get("containerPort"))
			.findFirst()
			.orElseThrow();
	}

	@Test
	void ports_areDefaults() {
		assertThat(port("http")).isEqualTo(HTTP_PORT);
		assertThat(port("rpc")).isEqualTo(defaults.get("rpc.server.port"));
		Map<String, Object> service = document("Service");
		assertThat(KubernetesDocumentTests.<String>at(service, "spec", "clusterIP")).isEqualTo("None");
		assertThat(KubernetesDocumentTests.<Integer>at(service, "spec", "ports", 0, "port")).isEqualTo(port("rpc"));
		assertThat(KubernetesDocumentTests.<String>at(service, "spec", "ports", 0, "targetPort")).isEqualTo("rpc");
		assertThat(page).contains("dns:%s:%d".formatted(at(service, "metadata", "name"), port("rpc")));
	}

	@Test
	void labels_selectPods() {
		Object labels = at(document("Deployment"), "spec", "template", "metadata", "labels");
		assertThat(KubernetesDocumentTests.<Object>at(document("Deployment"), "spec", "selector", "matchLabels"))
			.isEqualTo(labels);
		assertThat(KubernetesDocumentTests.<Object>at(document("Service"), "spec", "selector")).isEqualTo(labels);
	}

	@Test
	void terminationGracePeriod_coversShutdown() throws IOException {
		int phase = (int) DurationStyle
			.detectAndParse(properties().getProperty("spring.lifecycle.timeout-per-shutdown-phase"))
			.toSeconds();
		List<String> sleep = at(container(), "lifecycle", "preStop", "exec", "command");
		assertThat(sleep.get(0)).isEqualTo("sleep");
		int preStop = Integer.parseInt(sleep.get(1));
		int allowed = at(document("Deployment"), "spec", "template", "spec", "terminationGracePeriodSeconds");
		assertThat(phase).isGreaterThan(seconds("rpc.server.shutdown.grace-period"));
		assertThat(preStop).isGreaterThanOrEqualTo(seconds("rpc.client.dns.interval"));
		assertThat(allowed).isGreaterThanOrEqualTo(
				preStop + phase + seconds("rpc.client.shutdown.grace-period") + seconds("rpc.client.dns.interval"));
	}

	@Test
	void startupProbe_allowsSeveralSessionsOfZooKeeper() {
		int allowed = KubernetesDocumentTests.<Integer>at(container(), "startupProbe", "periodSeconds")
				* KubernetesDocumentTests.<Integer>at(container(), "startupProbe", "failureThreshold");
		assertThat(allowed).isGreaterThanOrEqualTo(3 * seconds("rpc.registry.zookeeper.session-timeout"));
		assertThat(Duration.ofSeconds(allowed)).as("that the page names").isEqualTo(Duration.ofMinutes(3));
	}

	@ParameterizedTest
	@ValueSource(strings = { "startupProbe", "livenessProbe", "readinessProbe" })
	void probes_answer200_whenApplicationRuns(String probe) throws Exception {
		Map<String, Object> properties = new LinkedHashMap<>();
		properties().forEach((name, value) -> properties.put(name.toString(), value));
		try (ConfigurableApplicationContext context = Applications.run(WebApplicationType.SERVLET, properties,
				GreeterService.class)) {
			String path = at(container(), probe, "httpGet", "path");
			assertThat(KubernetesDocumentTests.<String>at(container(), probe, "httpGet", "port")).isEqualTo("http");
			URI uri = URI.create(
					"http://localhost:%s%s".formatted(context.getEnvironment().getProperty("local.server.port"), path));
			HttpResponse<String> answer = HttpClient.newHttpClient()
				.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
			assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
		}
	}

	@Test
	void variables_areProperties() {
		List<Map<String, Object>> variables = at(container(), "env");
		assertThat(variables).extracting((each) -> each.get("name")).containsExactly("RPC_SERVER_ADVERTISEDADDRESS");
		assertThat(defaults).containsKey("rpc.server.advertised-address");
	}

	@Test
	void page_saysThatItDidNotRunInCluster() {
		assertThat(page).contains("It was not run in a cluster.");
	}

}
