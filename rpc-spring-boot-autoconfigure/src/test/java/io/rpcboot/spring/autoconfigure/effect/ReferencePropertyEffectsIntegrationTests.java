package io.rpcboot.spring.autoconfigure.effect;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.context.CallOptions;
import io.rpcboot.server.ServiceInfo;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.effect.EffectApplication.Desk;
import io.rpcboot.spring.autoconfigure.effect.Fleet.Callers;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Effects of properties of one reference or service, and of their methods. */
@Timeout(60)
class ReferencePropertyEffectsIntegrationTests {

	@ParameterizedTest
	@ValueSource(strings = { "timeout", "methods.hold.timeout" })
	@PropertyEffect({ "rpc.client.references.users.timeout", "rpc.client.references.users.methods.<method>.timeout" })
	void call_endsAtTimeoutOfReferenceOrMethod(String property) {
		try (EffectApplication application = EffectApplication
			.run(Map.of("rpc.client.references.desk." + property, "300ms"))) {
			CompletableFuture<String> call = application.desk.hold("Doug");
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> call.get(30, TimeUnit.SECONDS))
				.withMessageContaining("no reply within the timeout of 300 ms");
		}
	}

	@Test
	@PropertyEffect("rpc.client.references.users.wait-for-instance")
	void call_waitsForInstanceOfReference() throws Exception {
		try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
				EffectApplication application = EffectApplication.calling(Map.of("rpc.client.wait-for-instance", 0,
						"rpc.client.references.desk.wait-for-instance", "400ms", "rpc.client.connect-timeout", "1m"),
						silent.getLocalPort())) {
			long start = System.nanoTime();
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> application.desk.sign("Doug"))
				.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.UNAVAILABLE));
			assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isGreaterThanOrEqualTo(399);
		}
	}

	@ParameterizedTest
	@CsvSource({ "false, 0, 15000", "true, 15000, 60000" })
	@PropertyEffect("rpc.client.references.users.detached")
	void call_hasTimeOfItsOwn_whenReferenceIsDetached(boolean detached, long least, long most) throws Exception {
		try (EffectApplication application = EffectApplication.run(
				Map.of("rpc.client.timeout", "1m", "rpc.client.references.back.detached", detached), FrontService.class,
				FrontCaller.class)) {
			Front front = application.context.getBean(FrontCaller.class).front;
			long left = CallOptions.none().timeout(Duration.ofSeconds(15)).call(front::millisLeft);
			assertThat(left).isBetween(least, most);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "references.desk.protocol", "services.Desk.protocol", "protocol" })
	@PropertyEffect({ "rpc.client.protocol", "rpc.client.references.users.protocol" })
	void call_usesProtocol(String property) {
		try (EffectApplication application = EffectApplication
			.run(Map.of("rpc.client." + property, "grpc", "rpc.server.protocols", "grpc"))) {
			assertThat(application.desk.sign("Doug")).isNotNull();
			assertThat(application.client.references()).extracting(ReferenceInfo::protocol).containsOnly(Protocol.GRPC);
		}
	}

	@Test
	@PropertyEffect("rpc.client.references.users.methods.<method>.idempotent")
	void failedCall_isRetried_whenPropertySaysThatItIsIdempotent() {
		try (Fleet fleet = new Fleet().withSick().withHealthy(1)) {
			Callers callers = fleet.start(Map.of("rpc.client.references.depots.methods.store.idempotent", true));
			for (int i = 0; i < 4; i++) {
				assertThat(callers.named.store()).isEqualTo("well");
			}
			assertThat(fleet.calls(0)).isPositive();
		}
	}

	@Test
	@PropertyEffect("rpc.client.references.users.methods.<method>.hedge-after")
	void slowCall_isSentToSecondInstance() {
		try (Fleet fleet = new Fleet().withSlow(5000).withHealthy(1)) {
			Callers callers = fleet.start(Map.of("rpc.client.references.depots.methods.count.hedge-after", "10ms"));
			assertThat(callers.named.count()).isEqualTo("well");
			assertThat(callers.named.count()).isEqualTo("well");
			assertThat(fleet.calls(0)).isPositive();
		}
	}

	@Test
	@PropertyEffect("rpc.server.services.<name>.max-threads")
	void service_hasItsThreads() {
		try (EffectApplication application = EffectApplication.run(Map.of("rpc.server.services.Desk.max-threads", 3))) {
			assertThat(application.server.services()).extracting(ServiceInfo::maxThreads).containsExactly(3);
		}
	}

	@Test
	@PropertyEffect("rpc.server.services.<name>.max-streams")
	void service_hasItsStreams() {
		try (EffectApplication application = EffectApplication.run(Map.of("rpc.server.services.Ticker.max-streams", 2),
				TickerService.class, Watcher.class)) {
			Ticker ticker = application.context.getBean(Watcher.class).ticker;
			List<Disposable> open = List.of(ticker.ticks().subscribe(), ticker.ticks().subscribe());
			Applications.eventually(() -> application.server.openStreams() == 2);
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> ticker.ticks().blockFirst())
				.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.RESOURCE_EXHAUSTED))
				.satisfies((ex) -> assertThat(ex.mayHaveExecuted()).isFalse())
				.withMessageContaining("$Ticker].max-streams: 2 streams of the service are open");
			assertThat(ticker.now()).isEqualTo("now");
			open.forEach(Disposable::dispose);
		}
	}

	/** A contract with a stream. */
	public interface Ticker {

		Flux<String> ticks();

		String now();

	}

	@RpcService
	static class TickerService implements Ticker {

		@Override
		public Flux<String> ticks() {
			return Flux.never();
		}

		@Override
		public String now() {
			return "now";
		}

	}

	static class Watcher {

		@RpcReference
		private Ticker ticker;

	}

	/** A contract of a service in between. */
	public interface Front {

		long millisLeft();

	}

	@RpcService
	static class FrontService implements Front {

		@RpcReference(name = "back")
		private Desk desk;

		@Override
		public long millisLeft() {
			return this.desk.millisLeft();
		}

	}

	static class FrontCaller {

		@RpcReference
		private Front front;

	}

}
