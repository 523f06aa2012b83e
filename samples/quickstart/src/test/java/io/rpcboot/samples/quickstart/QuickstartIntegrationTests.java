package io.rpcboot.samples.quickstart;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

import io.rpcboot.samples.quickstart.consumer.Answer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** The whole thing: ZooKeeper, provider and consumer over real sockets. */
@Tag("jdk25")
class QuickstartIntegrationTests {

	private static final String SHORT = "--rpc.quickstart.load-time=300ms";

	@Test
	void answers_areRightAndCountedByProvider() throws Exception {
		try (Quickstart quickstart = Quickstart.start(SHORT)) {
			Report report = quickstart.callEverything();
			report.requireRight();
			assertThat(report.answers()).hasSize(5).allMatch(Answer::right);
			assertThat(report.answers()).extracting(Answer::call)
				.anyMatch((call) -> call.startsWith("createUser("))
				.anyMatch((call) -> call.startsWith("existUser("))
				.anyMatch((call) -> call.startsWith("getUser("))
				.anyMatch((call) -> call.startsWith("listUser("));
			assertThat(report.location()).startsWith("/rpc/apps/user-provider/instances/");
			assertThat(report.load().calls()).isPositive();
			assertThat(report.providerCalls()).isEqualTo(report.calls()).isGreaterThan(report.load().calls());
			assertThat(get(report.actuator() + "rpc")).contains("UserService");
			assertThat(get(report.actuator() + "rpc/instances")).contains(String.valueOf(report.endpoint().port()));
			assertThat(get(report.actuator() + "health")).contains("\"status\":\"UP\"");
			assertThat(get(report.actuator() + "rpcdashboard")).contains("<html");
			assertThat(get(report.providerActuator() + "rpcdashboard")).contains("<html");
			assertThat(get(report.actuator() + "prometheus")).contains("rpc_client_calls_seconds_count{");
			assertThat(get(report.providerActuator() + "prometheus")).contains("rpc_server_calls_seconds_count{");
		}
	}

	@Test
	void quickstart_endsWithReport_whenExitIsSet() throws Exception {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		QuickstartApplication.run(new PrintStream(bytes, true, StandardCharsets.UTF_8), SHORT,
				"--rpc.quickstart.exit=true");
		assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("address=北京市 中关村")
			.contains("/rpc/apps/user-provider/instances/")
			.contains("calls/s, p50")
			.contains("/actuator/rpc")
			.contains("/actuator/prometheus")
			.contains("Dashboard   http://127.0.0.1:")
			.contains("--provider --rpc.registry.zookeeper.connect-string=127.0.0.1:")
			.doesNotContain("WRONG");
	}

	@Test
	void quickstart_fails_whenCallFails() {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		// no answer fits into the time
		assertThatIllegalStateException()
			.isThrownBy(() -> QuickstartApplication.run(new PrintStream(bytes, true, StandardCharsets.UTF_8), SHORT,
					"--rpc.client.timeout=1us"))
			.withMessageContaining("failed or gave a wrong answer");
		assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("WRONG").contains("DEADLINE_EXCEEDED");
	}

	private static String get(String url) throws IOException, InterruptedException {
		return HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
			.body();
	}

}
