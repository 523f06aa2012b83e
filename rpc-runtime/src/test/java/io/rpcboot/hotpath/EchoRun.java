package io.rpcboot.hotpath;

import java.time.Duration;
import java.util.concurrent.Callable;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import io.rpcboot.Endpoint;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.micrometer.MicrometerRpcMetrics;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.Protocol;

/**
 * A server, a client and a call between them, in the class loader that counts. Known
 * outside of it by its JDK types alone.
 */
public final class EchoRun implements Callable<byte[]>, AutoCloseable {

	private static final Duration NOT_IN_THIS_TEST = Duration.ofHours(1);

	private final byte[] body = new byte[128];

	private final RpcServer server;

	private final RpcClient client;

	private final EchoService echo;

	/**
	 * Starts both sides.
	 * @param protocol name of a constant of {@link Protocol}
	 */
	public EchoRun(String protocol, boolean micrometer) {
		EventLoopOptions loops = EventLoopOptions.defaults()
			.withTransport(EventLoopOptions.Transport.NIO)
			.withThreads(1);
		this.server = RpcServer.builder()
			.service(ServiceDescriptor.of(EchoService.class), () -> (EchoService) (bytes) -> bytes)
			.bindAddress("127.0.0.1")
			.port(0)
			.handshakeTimeout(NOT_IN_THIS_TEST)
			.idleTimeout(NOT_IN_THIS_TEST)
			.eventLoop(loops)
			.metrics(metrics(micrometer))
			.start();
		this.client = RpcClient.builder()
			.connectTimeout(NOT_IN_THIS_TEST)
			.waitForInstance(NOT_IN_THIS_TEST)
			.keepAlive(NOT_IN_THIS_TEST, NOT_IN_THIS_TEST)
			.eventLoop(loops)
			.metrics(metrics(micrometer))
			.build();
		this.echo = this.client.reference(EchoService.class,
				ReferenceOptions.defaults()
					.withProtocol(Protocol.valueOf(protocol))
					.withTimeout(NOT_IN_THIS_TEST)
					.withEndpoints(new Endpoint("127.0.0.1", this.server.port())));
	}

	private static RpcMetrics metrics(boolean micrometer) {
		return micrometer ? new MicrometerRpcMetrics(new SimpleMeterRegistry()) : RpcMetrics.none();
	}

	@Override
	public byte[] call() {
		return this.echo.echo(this.body);
	}

	@Override
	public void close() {
		this.client.close();
		this.server.close();
	}

}
