package io.rpcboot.spring.actuate.endpoint;

import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;

import io.rpcboot.context.RpcContext;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.boot.actuate.audit.InMemoryAuditEventRepository;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/** An operator calls a method of a running application. */
@ExtendWith(OutputCaptureExtension.class)
class InvokeOperationIntegrationTests {

	private static final String UNRESTRICTED = "management.endpoint.rpc.access=unrestricted";

	private static final String SECRET = "0123456789abcdef0123456789abcdef";

	private static final String DESK = Desk.class.getName();

	private ConfigurableApplicationContext context;

	@AfterEach
	void close() {
		this.context.close();
	}

	private void start(String... properties) {
		this.context = new SpringApplicationBuilder(Application.class)
			.properties("server.port=0", "rpc.server.port=0", "management.endpoints.web.exposure.include=rpc")
			.properties(properties)
			.run();
	}

	private HttpResponse<String> send(String path, Map<String, String> body) throws Exception {
		return EndpointRequests.send(this.context, path,
				(body != null) ? JsonMapper.shared().writeValueAsString(body) : null);
	}

	private JsonNode invoke(Map<String, String> body, int status) throws Exception {
		return EndpointRequests.body(send("/actuator/rpc/invoke", body), status);
	}

	private JsonNode form(String method) throws Exception {
		return EndpointRequests.body(send("/actuator/rpc/invoke/Desk/" + method, null), 200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "rpc.test=x", "management.endpoint.rpc.access=read-only",
			"management.endpoints.access.max-permitted=read-only" })
	void calls_areNotAllowed_withoutUnrestrictedAccess(String property) throws Exception {
		start(property);
		assertThat(send("/actuator/rpc/invoke", Map.of("service", DESK, "method", "note")).statusCode()).isEqualTo(405);
		JsonNode form = form("note");
		assertThat(form.at("/problem").asString()).contains("management.endpoint.rpc.access=unrestricted");
		assertThat(form.at("/arguments").asString()).isEqualTo("{}");
	}

	@Test
	void call_isAuditedAndNotLogged_whenItIsAnswered(CapturedOutput output) throws Exception {
		start(UNRESTRICTED, "logging.level.io.rpcboot=debug", "logging.level.rpc=debug");
		JsonNode answer = invoke(Map.of("service", DESK, "method", "note", "arguments", "{\"text\": \"secret-text\"}",
				"metadata", "tenant: secret-tenant\n\nCity: K\u00f6ln", "credentials", "Bearer secret-token",
				"deadline", "5s"), 200);
		assertThat(answer.at("/status").asString()).isEqualTo("OK");
		assertThat(answer.at("/result/value").asString()).isEqualTo("secret-text secret-tenant K\u00f6ln anonymous");
		assertThat(answer.at("/error").isNull()).isTrue();
		assertThat(answer.at("/millis").asDouble()).isPositive();
		assertThat(answer.at("/metadata/cost").asString()).isEqualTo("7");
		AuditEvent event = this.context.getBean(AuditEventRepository.class).find(null, null, "RPC_INVOKE").get(0);
		assertThat(event.getPrincipal()).isEqualTo("anonymous");
		assertThat(event.getData()).containsExactlyInAnyOrderEntriesOf(
				Map.of("service", DESK, "method", "note(java.lang.String)", "status", "OK"));
		assertThat(output.getAll()).doesNotContain("secret-");
	}

	@Test
	void failedCall_isAnsweredWithItsStatus_andAudited() throws Exception {
		start(UNRESTRICTED);
		JsonNode answer = invoke(Map.of("service", "Desk", "method", "fail"), 200);
		assertThat(answer.at("/status").asString()).isEqualTo("UNKNOWN");
		assertThat(answer.at("/error/code").asString()).isEqualTo("unknown");
		assertThat(answer.at("/error/message").asString()).contains("IllegalStateException");
		assertThat(answer.at("/result").isNull()).isTrue();
		assertThat(answer.at("/mayHaveRun").asBoolean()).isTrue();
		assertThat(this.context.getBean(AuditEventRepository.class).find(null, null, "RPC_INVOKE").get(0).getData())
			.containsEntry("status", "UNKNOWN");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "arguments | {\"text\": 1} | text: an integer (expected: a text",
			"arguments | [] | an array (expected: an object" })
	void badArguments_areNamed(String name, String value, String problem) throws Exception {
		start(UNRESTRICTED);
		JsonNode answer = invoke(Map.of("service", "Desk", "method", "note", name, value), 400);
		assertThat(answer.at("/error/message").asString()).contains(problem);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			value = { "deadline | soon | deadline: soon (expected: a duration",
					"deadline | 2m | deadline: PT2M (expected: 1ms to 60s)", "deadline | 99999999999999d | deadline: ",
					"metadata | tenant | a line without a name", "metadata | a b: x | attachment name 'a b'",
					"metadata | rpc-x: y | does not begin with 'rpc-'",
					"metadata | authorization: Bearer x | expected: as credentials",
					"credentials | secret | Credentials of 6 characters", "service | ~ ~ | service: missing",
					"method | ~ ~ | method: missing", "service | a b | service name: 'a b'" })
	void badInput_isRefused(String name, String value, String problem) throws Exception {
		start(UNRESTRICTED);
		Map<String, String> input = new HashMap<>(Map.of("service", "Desk", "method", "note"));
		input.put(name, value);
		assertThat(invoke(input, 400).at("/problem").asString()).contains(problem);
		assertThat(this.context.getBean(AuditEventRepository.class).find(null, null, null)).isEmpty();
	}

	@Test
	void unknownMethod_isNotFound_withTheNearest() throws Exception {
		start(UNRESTRICTED);
		assertThat(invoke(Map.of("service", "Desk", "method", "nte"), 404).at("/problem").asString())
			.contains("nearest: Note");
		assertThat(invoke(Map.of("service", "Dsk", "method", "note"), 404).at("/problem").asString())
			.contains("service 'Dsk' is not offered here");
		assertThat(send("/actuator/rpc/invoke/Desk/nte", null).statusCode()).isEqualTo(404);
		assertThat(send("/actuator/rpc/invoke/Desk", null).body()).contains("invoke/{service}/{method}", DESK);
	}

	@Test
	void form_hasParameters() throws Exception {
		start(UNRESTRICTED);
		JsonNode form = form("note");
		assertThat(form.at("/service").asString()).isEqualTo(DESK);
		assertThat(form.at("/method").asString()).isEqualTo("note(java.lang.String)");
		assertThat(form.at("/arguments").asString()).isEqualTo("{\"text\":\"\"}");
		assertThat(form.at("/deadlineMillis").asInt()).isEqualTo(10_000);
		assertThat(form.at("/problem").isNull()).isTrue();
	}

	/**
	 * The application calls itself with its secret, which goes along with no operator.
	 */
	@Test
	void identityOfTheApplication_staysAtHome() throws Exception {
		start(UNRESTRICTED, "rpc.server.auth.secret=" + SECRET, "rpc.client.auth.secret=" + SECRET,
				"rpc.server.auth.allow-clear-text=true", "rpc.client.auth.allow-clear-text=true",
				"rpc.client.protocol=grpc");
		assertThat(this.context.getBean(Caller.class).desk.note("x")).isEqualTo("x null null shared-secret");
		Map<String, String> call = Map.of("service", "Desk", "method", "note", "arguments", "{\"text\":\"x\"}");
		assertThat(invoke(call, 200).at("/status").asString()).isEqualTo("UNAUTHENTICATED");
		Map<String, String> known = new HashMap<>(call);
		known.put("credentials", "Bearer " + SECRET);
		assertThat(invoke(known, 200).at("/result/value").asString()).isEqualTo("x null null shared-secret");
		known.put("credentials", "Bearer " + SECRET.replace('0', 'x'));
		assertThat(invoke(known, 200).at("/status").asString()).isEqualTo("UNAUTHENTICATED");
	}

	@Test
	void missingProtocol_isNamed() throws Exception {
		start(UNRESTRICTED, "rpc.server.protocols=native,grpc");
		assertThat(invoke(Map.of("service", "Desk", "method", "note"), 409).at("/problem").asString())
			.contains("rpc.server.protocols", "connect");
		assertThat(form("note").at("/problem").asString()).contains("rpc.server.protocols");
		this.context.getBean(RpcServer.class).close();
		assertThat(invoke(Map.of("service", "Desk", "method", "note"), 409).at("/problem").asString()).isNotEmpty();
	}

	/** Service of the operators. */
	public interface Desk {

		String note(String text);

		String fail();

	}

	@RpcService
	static class DeskService implements Desk {

		@Override
		public String note(String text) {
			RpcContext context = RpcContext.current();
			assertThat(context).isNotNull();
			context.replyAttachments().put("cost", "7");
			return "%s %s %s %s".formatted(text, context.attachments().get("tenant"), context.attachments().get("city"),
					context.caller());
		}

		@Override
		public String fail() {
			throw new IllegalStateException("secret");
		}

	}

	static class Caller {

		@RpcReference
		private Desk desk;

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ DeskService.class, Caller.class })
	static class Application {

		@Bean
		AuditEventRepository auditEvents() {
			return new InMemoryAuditEventRepository();
		}

	}

}
