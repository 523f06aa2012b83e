package io.rpcboot.benchmarks.streams;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rpcboot.benchmarks.system.BenchServer;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Streams of this project as an application uses them: {@code Flux} in an interface, a
 * bean behind the server, an injected proxy, metrics on.
 *
 * @param name name in options and reports
 * @param executors threads of methods and callbacks, for the report
 * @param properties settings of both sides
 */
record OurStreams(String name, String executors, Map<String, String> properties) implements StreamSystem {

	private static final String WINDOWS = "windows: stream 65 to 520 KB, connection 1 MB at the server and 16 MB at the client;"
			+ " demand: unbounded";

	static OurStreams withDefaults() {
		return new OurStreams("ours", "workers of the server, callback threads of the client", Map.of());
	}

	static OurStreams onEventLoops() {
		return new OurStreams("ours-loop", "event loops of both sides",
				Map.of("rpc.server.dispatch", "event-loop", "rpc.client.callbacks", "event-loop"));
	}

	@Override
	public String settings() {
		return WINDOWS + "; executors: " + this.executors;
	}

	/** An {@code InputStream} of a method blocks, which an event loop must not do. */
	@Override
	public boolean supports(Direction direction) {
		return direction != Direction.BYTES || this.properties.isEmpty();
	}

	@Override
	public BenchServer startServer() {
		return new Server(application(ServerApplication.class,
				Map.of("rpc.server.port", "0", "rpc.server.bind-address", "127.0.0.1")));
	}

	@Override
	public StreamClient connect(int port) {
		return new Client(application(ClientApplication.class,
				Map.of("rpc.client.references.streams.addresses", "127.0.0.1:" + port)));
	}

	private ConfigurableApplicationContext application(Class<?> application, Map<String, String> own) {
		Map<String, Object> all = new HashMap<>(
				Map.of("spring.application.name", "streams", "spring.main.banner-mode", "off"));
		all.putAll(this.properties);
		all.putAll(own);
		return new SpringApplicationBuilder(application).properties(all).run();
	}

	private record Server(ConfigurableApplicationContext context) implements BenchServer {

		@Override
		public int port() {
			return this.context.getEnvironment().getRequiredProperty("local.rpc.port", Integer.class);
		}

		@Override
		public void close() {
			this.context.close();
		}

	}

	private record Client(ConfigurableApplicationContext context, StreamService service) implements StreamClient {

		Client(ConfigurableApplicationContext context) {
			this(context, context.getBean(Caller.class).service());
		}

		@Override
		public CompletableFuture<Long> open(Direction direction, int bytes, int count) {
			return switch (direction) {
				case DOWN -> FluxElements.sum(this.service.down(bytes, count));
				case UP -> this.service.up(FluxElements.send(bytes, count));
				case BOTH -> FluxElements.sum(this.service.both(FluxElements.send(bytes, count)));
				case BYTES -> CompletableFuture.supplyAsync(() -> read((long) bytes * count));
			};
		}

		private long read(long length) {
			try (InputStream stream = this.service.bytes(length)) {
				return Elements.readAll(stream);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		@Override
		public void close() {
			this.context.close();
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class ServerApplication {

		@Bean
		MeterRegistry meterRegistry() {
			return new SimpleMeterRegistry();
		}

		@Bean
		@RpcService
		StreamService streamService() {
			return new DefaultStreamService();
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Caller.class)
	static class ClientApplication {

		@Bean
		MeterRegistry meterRegistry() {
			return new SimpleMeterRegistry();
		}

	}

	record Caller(@RpcReference(name = "streams") StreamService service) {

	}

}
