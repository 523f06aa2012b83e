package io.rpcboot.h2spec;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.server.RpcServer;
import io.rpcboot.workload.UserService;
import io.rpcboot.workload.UserServiceImpl;

/**
 * Runs h2spec, the conformance tests of HTTP/2, on a server with one service and all
 * protocols. Arguments: the folder with the {@code go.mod} that names h2spec, and the
 * directory to work in.
 */
public final class H2specRun {

	private static final String PASSED = "146 tests, 146 passed, 0 skipped, 0 failed";

	private final Path module;

	private final Path work;

	private H2specRun(Path module, Path work) {
		this.module = module;
		this.work = work;
	}

	/** Entry point; see the class. */
	public static void main(String[] args) throws Exception {
		Path work = Files.createDirectories(Path.of(args[1])).toAbsolutePath();
		new H2specRun(Path.of(args[0]), work).run();
	}

	private void run() throws Exception {
		install();
		String output;
		try (RpcServer server = RpcServer.builder()
			.service(ServiceDescriptor.of(UserService.class), UserServiceImpl::new)
			.bindAddress("127.0.0.1")
			.port(0)
			.start()) {
			output = output(new ProcessBuilder(this.work.resolve("h2spec").toString(), "--strict", "--host",
					"127.0.0.1", "--port", String.valueOf(server.port())));
		}
		if (!output.contains(PASSED)) {
			throw new IllegalStateException("h2spec: failed (expected: %s)%n%s".formatted(PASSED,
					output.substring(Math.max(0, output.lastIndexOf("Failures:")))));
		}
		System.out.println("h2spec: " + PASSED);
	}

	private void install() throws Exception {
		ProcessBuilder builder = new ProcessBuilder("go", "install", "tool").directory(this.module.toFile());
		builder.environment().put("GOBIN", this.work.toString());
		String output;
		try {
			output = output(builder);
		}
		catch (IOException ex) {
			throw new IllegalStateException(
					"h2spec: no go on the PATH (expected: Go, which installs h2spec as src/test/h2spec/go.mod names it)",
					ex);
		}
		if (!Files.isExecutable(this.work.resolve("h2spec"))) {
			throw new IllegalStateException("h2spec: go could not install it%n%s".formatted(output));
		}
	}

	/** Returns the output of a process when it has ended. */
	private String output(ProcessBuilder builder) throws IOException, InterruptedException {
		File log = this.work.resolve("output.txt").toFile();
		Process process = builder.redirectErrorStream(true).redirectOutput(log).start();
		try {
			process.waitFor();
		}
		finally {
			process.destroy();
		}
		return Files.readString(log.toPath(), StandardCharsets.UTF_8);
	}

}
