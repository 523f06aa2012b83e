package io.rpcboot.evolution;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;

import io.rpcboot.Endpoint;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Lines about fields that a peer lacks, once the contracts were compared. */
@Timeout(60)
class MissingFieldsIntegrationTests {

	private static final String OLD = """
			record User(int id, String name) { }
			static Object value() { return new User(1, "Ann"); }
			""";

	private static final String NEW = """
			record User(int id, String name, List<String> tags, int count, String mail) { }
			static Object value() { return new User(2, "Bob", List.of(), 1, "b@c"); }
			""";

	/** Calls a server, and returns the warnings of both sides. */
	private static List<String> linesOf(String clientBody, String serverBody, String until) throws Exception {
		CompiledVersion ours = CompiledVersion.of(clientBody);
		CompiledVersion theirs = CompiledVersion.of(serverBody);
		Object implementation = Proxy
			.newProxyInstance(theirs.service().getClassLoader(), new Class<?>[] { theirs.service() }, (self, method,
					arguments) -> method.getName().equals(CompiledVersion.UNTOUCHED) ? arguments[0] : theirs.value());
		try (LogRecorder log = new LogRecorder("rpc");
				RpcServer server = RpcServer.builder()
					.bindAddress("127.0.0.1")
					.port(0)
					.service(theirs.descriptor(), () -> implementation)
					.start();
				RpcClient client = RpcClient.builder().waitForInstance(Duration.ofSeconds(20)).build()) {
			Object proxy = client.reference(ours.service(),
					ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", server.port())));
			Method method = ours.method();
			method.setAccessible(true);
			assertThat(method.invoke(proxy, ours.value())).isNotNull();
			Eventually.until(until, () -> log.messages().toString().contains(until));
			return log.messages().stream().filter((each) -> each.startsWith("Fields are missing")).toList();
		}
	}

	@Test
	void newServer_warnsOfClientsWithoutFields() throws Exception {
		assertThat(linesOf(OLD, NEW, "Fields are missing")).singleElement()
			.asString()
			.matches(
					"Fields are missing: service evolution.Api for 127\\.0\\.0\\.1:\\d+ and others with contract \\w+: .*")
			.endsWith(
					": they have evolution.Api$User without tags and mail; the missing values are null here, or empty where the constructor refuses null");
	}

	@Test
	void newClient_warnsOfServersWithoutFields() throws Exception {
		assertThat(linesOf(NEW, OLD, "Fields are missing")).singleElement()
			.asString()
			.startsWith("Fields are missing: service evolution.Api of servers of contract ")
			.contains("they have evolution.Api$User without tags and mail; ");
	}

	@Test
	void noLineIsWritten_forPrimitivesBeansDefaultsAndResults() throws Exception {
		String others = """
				record User(int id, String name, int count, Bean bean, Data data) { }
				record Receipt(int id, List<String> lines) { }
				class Bean { List<String> lines = new ArrayList<>(); }
				class Data { final List<String> lines;
					Data(List<String> lines) { this.lines = lines; }
					Data(List<String> lines, int mask, kotlin.jvm.internal.DefaultConstructorMarker marker) { this(List.of()); } }
				User exchange(User value);
				Receipt receipt();
				static Object value() { return new User(2, "Bob", 1, new Bean(), new Data(List.of())); }
				""";
		String older = """
				record User(int id, String name, Bean bean, Data data, String gone) { }
				record Receipt(int id) { }
				class Bean { }
				class Data { }
				User exchange(User value);
				Receipt receipt();
				void removed();
				static Object value() { return new User(1, "Ann", new Bean(), new Data(), ""); }
				""";
		assertThat(linesOf(older, others, "Methods refused")).as("of the server, which reads no receipt")
			.filteredOn((each) -> each.contains("and others with contract"))
			.isEmpty();
	}

}
