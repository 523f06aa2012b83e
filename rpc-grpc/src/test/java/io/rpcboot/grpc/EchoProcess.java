package io.rpcboot.grpc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import io.grpc.testing.integration.Messages.SimpleResponse;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceOptions;

/**
 * Server in a process of its own, which a signal can stop. It answers with {@link #NAME}.
 */
final class EchoProcess implements AutoCloseable {

	static final String NAME = "process";

	private static final String PORT = "## port ";

	private final Process process;

	final int port;

	EchoProcess() throws IOException {
		this.process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx128m", "-XX:TieredStopAtLevel=1", "-cp",
				System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
				EchoProcess.class.getName())
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		BufferedReader output = new BufferedReader(
				new InputStreamReader(this.process.getInputStream(), StandardCharsets.UTF_8));
		String line = output.readLine();
		while (line != null && !line.startsWith(PORT)) {
			line = output.readLine();
		}
		if (line == null) {
			throw new AssertionError("the process has ended before it told its port");
		}
		this.port = Integer.parseInt(line.substring(PORT.length()));
		Thread reader = new Thread(() -> output.lines().forEach((ignored) -> {
		}), "output-of-process"); // it would stand still when the pipe is full
		reader.setDaemon(true);
		reader.start();
	}

	/** Sends a signal, such as STOP, CONT or KILL. */
	void signal(String name) throws Exception {
		new ProcessBuilder("kill", "-" + name, String.valueOf(this.process.pid())).start().waitFor();
	}

	@Override
	public void close() {
		this.process.destroyForcibly().onExit().join();
	}

	/** The process itself. Ends when its input ends. */
	public static void main(String[] arguments) throws IOException {
		EchoService service = new EchoService((request, responses) -> {
			responses.onNext(SimpleResponse.newBuilder().setUsername(NAME).build());
			responses.onCompleted();
		});
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.grpcService(BindableServices.of(service.bindService()), ServiceOptions.defaults())
			.start()) {
			System.out.println(PORT + server.port());
			while (System.in.read() >= 0) {
				Thread.onSpinWait();
			}
		}
	}

}
