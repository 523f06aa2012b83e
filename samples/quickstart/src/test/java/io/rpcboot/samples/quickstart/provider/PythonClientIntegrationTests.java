package io.rpcboot.samples.quickstart.provider;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.samples.quickstart.api.UserService;
import io.rpcboot.samples.quickstart.python.Ledger;
import io.rpcboot.server.RpcServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The client in samples/python, which was written from the documents alone, calls a
 * server. Skipped where there is no {@code python3}.
 */
@Tag("jdk25")
class PythonClientIntegrationTests {

	private final Book book = new Book();

	@Test
	@Timeout(60)
	void pythonClient_makesEveryKindOfCall() throws Exception {
		assumeTrue(hasPython(), "no python3 on the path (3.10 or later): the client in samples/python is not tried");
		RpcServer server = RpcServer.builder()
			.service(ServiceDescriptor.of(UserService.class), UserServiceImpl::new)
			.service(ServiceDescriptor.of(Ledger.class), () -> this.book)
			.bindAddress("127.0.0.1")
			.port(0)
			.start();
		try {
			Process process = python("src/test/python/check.py", "127.0.0.1:" + server.port());
			List<String> lines = new ArrayList<>();
			try (BufferedReader out = new BufferedReader(
					new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
				for (String line = out.readLine(); line != null; line = out.readLine()) {
					lines.add(line);
					if (line.equals("shut down now")) {
						server.shutdown(Duration.ofSeconds(5));
					}
				}
			}
			finally {
				process.destroy();
			}
			assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
			assertThat(lines).endsWith("all done");
			assertThat(process.exitValue()).isZero();
			assertThat(this.book.notes).containsExactly("一", "seen");
			assertThat(this.book.never).isCancelled();
		}
		finally {
			server.close();
		}
	}

	private static boolean hasPython() throws InterruptedException {
		try {
			Process process = python("-c", "import sys; sys.exit(sys.version_info < (3, 10))");
			return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static Process python(String... arguments) throws IOException {
		List<String> command = new ArrayList<>(List.of("python3", "-B"));
		command.addAll(List.of(arguments));
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
		builder.environment().put("PYTHONPATH", Path.of("../python").toAbsolutePath().toString());
		builder.environment().put("PYTHONIOENCODING", "UTF-8");
		return builder.start();
	}

	private static final class Book implements Ledger {

		private final List<String> notes = new CopyOnWriteArrayList<>();

		private final CompletableFuture<String> never = new CompletableFuture<>();

		@Override
		public Entry book(Entry entry) throws Overdrawn {
			if (entry.amount() < 0) {
				throw new Overdrawn("not enough on " + entry.account(), -entry.amount());
			}
			return entry;
		}

		@Override
		public byte[] copy(byte[] bytes) {
			return bytes;
		}

		@Override
		public @Nullable Object echo(@Nullable Object value) {
			return value;
		}

		@Override
		public void fail(String message) {
			throw new IllegalStateException(message);
		}

		@Override
		public CompletableFuture<String> never() {
			return this.never;
		}

		@Override
		public void note(String text) {
			this.notes.add(text);
		}

		@Override
		public List<String> notes() {
			return this.notes;
		}

		@Override
		public int size(List<String> names) {
			return names.size();
		}

	}

}
