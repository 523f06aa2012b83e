package io.rpcboot.engine.http;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** The commands of docs/http.md, with curl, and their answers. */
@Timeout(60)
class HttpDocumentIntegrationTests {

	private static final Path DOCUMENT = Path.of("../docs/http.md");

	private static final Pattern COMMAND = Pattern
		.compile("```sh\n(.*?)```\n\nIt answers (?:`([^`]+)`|with status (\\d+))", Pattern.DOTALL);

	private static final class Greetings implements GreetingService {

		@Override
		public String greet(String name) {
			return "Hello " + name;
		}

		@Override
		public Receipt order(Order order, List<String> notes) {
			return new Receipt(7, Instant.parse("2026-05-01T08:00:00Z"), Map.of(order.article(), 42 - order.pieces()));
		}

	}

	@Test
	void commands_areAnsweredAsPageSays() throws Exception {
		String page = Files.readString(DOCUMENT);
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.service(GreetingService.class, new Greetings())
			.service(PriceService.class, (article) -> new BigDecimal("3.50"))
			.start()) {
			Matcher commands = COMMAND.matcher(page);
			List<String> run = new ArrayList<>();
			while (commands.find()) {
				String command = commands.group(1).strip().replace("localhost:9090", "127.0.0.1:" + server.port());
				run.add(command);
				String answer = output(command + " -w ' %{http_code}'");
				assertThat(answer).as(command)
					.isEqualTo((commands.group(2) != null) ? commands.group(2) + " 200"
							: answer.substring(0, answer.lastIndexOf(' ') + 1) + commands.group(3));
			}
			assertThat(run).hasSize(page.split("```sh\n", -1).length - 1).hasSizeGreaterThan(3);
		}
	}

	@Test
	void interfaceOfPage_isThatOfTest() throws IOException {
		String page = Files.readString(DOCUMENT);
		String here = Files
			.readString(Path.of("src/test/java", GreetingService.class.getName().replace('.', '/') + ".java"));
		String declared = page.substring(page.indexOf("public interface"), page.indexOf("```\n\n```sh"));
		assertThat(here).contains(declared.strip());
	}

	private static String output(String command) throws Exception {
		Process process = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
		return output;
	}

}
