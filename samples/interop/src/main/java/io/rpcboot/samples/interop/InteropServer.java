package io.rpcboot.samples.interop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import grpc.testing.TestService;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.server.RpcServer;

/**
 * Serves {@link TestService}, {@link CheckService}, {@link ValueService} and
 * {@link StreamService} on a free port until its input ends. Argument: the folder for the
 * {@code .proto} files.
 */
public final class InteropServer {

	private InteropServer() {
	}

	/** Entry point; see the class. */
	public static void main(String[] args) throws IOException {
		DefaultCheckService checks = new DefaultCheckService();
		try (RpcServer server = RpcServer.builder()
			.service(ServiceDescriptor.of(TestService.class), DefaultTestService::new)
			.service(ServiceDescriptor.of(CheckService.class), () -> checks)
			.service(ServiceDescriptor.of(ValueService.class), DefaultValueService::new)
			.service(ServiceDescriptor.of(StreamService.class), DefaultStreamService::new)
			.bindAddress("127.0.0.1")
			.port(0)
			.start()) {
			for (Map.Entry<String, String> each : server.protoFiles().entrySet()) {
				Path file = Path.of(args[0]).resolve(each.getKey());
				Files.createDirectories(file.toAbsolutePath().getParent());
				Files.writeString(file, each.getValue());
			}
			System.out.println("listens on 127.0.0.1:" + server.port());
			System.in.transferTo(System.err);
		}
	}

}
