package io.rpcboot.benchmarks.sick;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcService;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * A process that is one instance of {@link Work}: an application with the starter, whose
 * properties are its arguments. It ends, gracefully, with its standard input.
 */
public final class InstanceProcess {

	/** Before the port. */
	static final String PORT = "port ";

	/** Before what has begun: when, which method, number of the call. */
	static final String BEGUN = "b ";

	private InstanceProcess() {
	}

	/**
	 * Start it.
	 * @param args properties
	 * @throws Exception if the standard input cannot be read
	 */
	public static void main(String[] args) throws Exception {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(InstanceApplication.class)
			.properties(Map.of("spring.main.banner-mode", "off", "spring.jmx.enabled", "false", "logging.level.root",
					"warn", "rpc.server.port", "0", "rpc.server.bind-address", "127.0.0.1", "spring.application.name",
					"work"))
			.run(args)) {
			Lines lines = context.getBean(Lines.class);
			lines.add(PORT + context.getBean(RpcServer.class).port());
			lines.flush();
			lines.obey(context.getBean(Illness.class)::become);
		}
	}

	/** The application. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Working.class)
	static class InstanceApplication {

		@Bean
		Lines lines() {
			return new Lines();
		}

		@Bean
		Illness illness(@Value("${sick.cold-calls:0}") int coldCalls, @Value("${sick.cold-factor:1}") int coldFactor) {
			return new Illness(coldCalls, coldFactor);
		}

		/** Counts what arrives, and fails with a status where that is what is wrong. */
		@Bean
		RpcServerInterceptor arrivals(Lines lines, Illness illness) {
			return (invocation) -> {
				char method = invocation.method().name().charAt(0);
				lines.add(BEGUN + System.nanoTime() + " " + method + " " + invocation.arguments()[0]);
				String failure = illness.failure();
				if (failure.isEmpty()) {
					return invocation.proceed();
				}
				if (!illness.failsAtOnce()) {
					invocation.proceed();
				}
				if (failure.equals(Illness.THROWS)) {
					throw new IllegalStateException("sick");
				}
				throw new RpcException(RpcStatus.valueOf(failure), "sick", true);
			};
		}

	}

	/** The service. */
	@RpcService
	static class Working implements Work {

		private final Illness illness;

		private final long nanos;

		private final FileChannel ledger;

		Working(Illness illness, @Value("${sick.work-millis:2}") int millis, @Value("${sick.ledger}") Path ledger)
				throws IOException {
			this.illness = illness;
			this.nanos = TimeUnit.MILLISECONDS.toNanos(millis);
			this.ledger = FileChannel.open(ledger, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
		}

		@Override
		public CompletableFuture<Long> read(long call) {
			return work(call);
		}

		/** What was written before the process is killed is in the file then. */
		@Override
		public CompletableFuture<Long> write(long call) {
			try {
				this.ledger.write(ByteBuffer.allocate(Long.BYTES).putLong(call).flip());
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			return work(call);
		}

		private CompletableFuture<Long> work(long call) {
			long start = System.nanoTime();
			long nanos = this.illness.nanos(this.nanos);
			while (System.nanoTime() - start < nanos) {
				LockSupport.parkNanos(nanos - (System.nanoTime() - start));
			}
			return CompletableFuture.completedFuture(call);
		}

	}

}
