package io.rpcboot.engine.stream;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.Broadcast;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallOptions;
import io.rpcboot.context.RpcContext;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Methods that return one value as Reactor's {@code Mono}. */
@Timeout(60)
class MonoIntegrationTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	/** Service with values that come later. */
	public interface Later {

		Mono<String> greet(String name);

		Mono<Void> nothing();

		Mono<String> perhaps(boolean has);

		Mono<String> fail(String why);

		Mono<String> never();

		Mono<Integer> sum(Flux<Integer> numbers);

		default Mono<String> greetAll() {
			return greet("all");
		}

	}

	private final AtomicInteger calls = new AtomicInteger();

	private final List<String> tenants = new CopyOnWriteArrayList<>();

	private final CompletableFuture<Boolean> started = new CompletableFuture<>();

	private final CompletableFuture<Boolean> cancelled = new CompletableFuture<>();

	private final Later implementation = new Later() {

		@Override
		public Mono<String> greet(String name) {
			MonoIntegrationTests.this.calls.incrementAndGet();
			MonoIntegrationTests.this.tenants.add(String.valueOf(RpcContext.current().attachments().get("tenant")));
			return Mono.just("hello " + name).delayElement(Duration.ofMillis(1));
		}

		@Override
		public Mono<Void> nothing() {
			return Mono.empty();
		}

		@Override
		public Mono<String> perhaps(boolean has) {
			return has ? Mono.just("yes") : Mono.empty();
		}

		@Override
		public Mono<String> fail(String why) {
			return why.isEmpty() ? null : Mono.error(new RpcException(RpcStatus.valueOf(why), "as asked", true));
		}

		@Override
		public Mono<String> never() {
			MonoIntegrationTests.this.started.complete(true);
			return Mono.<String>never().doOnCancel(() -> MonoIntegrationTests.this.cancelled.complete(true));
		}

		@Override
		public Mono<Integer> sum(Flux<Integer> numbers) {
			return numbers.reduce(0, Integer::sum);
		}

	};

	private RpcServer server;

	private RpcClient client;

	private Later reference(Protocol protocol, ReferenceOptions options) {
		this.server = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.service(Later.class, this.implementation)
			.interceptor((call) -> call.proceed())
			.start();
		this.client = RpcClient.builder().protocol(protocol).interceptor((call) -> call.proceed()).build();
		return this.client.reference(Later.class, options.withAddresses(List.of("127.0.0.1:" + this.server.port())));
	}

	private Later reference(Protocol protocol) {
		return reference(protocol, ReferenceOptions.defaults());
	}

	@AfterEach
	void close() {
		this.client.close();
		this.server.close();
	}

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "NATIVE", "GRPC" })
	void eachSubscriber_makesACall(Protocol protocol) {
		Mono<String> greeting = reference(protocol).greet("Ann");
		assertThat(this.calls).hasValue(0);
		assertThat(greeting.block(PATIENCE)).isEqualTo("hello Ann");
		assertThat(greeting.block(PATIENCE)).isEqualTo("hello Ann");
		assertThat(this.calls).hasValue(2);
	}

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "NATIVE", "GRPC" })
	void values_areCarried_andNone(Protocol protocol) {
		Later later = reference(protocol);
		assertThat(later.nothing().block(PATIENCE)).isNull();
		assertThat(later.perhaps(true).block(PATIENCE)).isEqualTo("yes");
		assertThat(later.perhaps(false).hasElement().block(PATIENCE)).isFalse();
		assertThat(later.sum(Flux.range(1, 100)).block(PATIENCE)).isEqualTo(5050);
		assertThat(later.greetAll().block(PATIENCE)).isEqualTo("hello all");
	}

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "NATIVE", "GRPC" })
	void failure_isAnError(Protocol protocol) {
		Later later = reference(protocol);
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> later.fail("NOT_FOUND").block(PATIENCE))
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.NOT_FOUND));
		assertThatExceptionOfType(RpcException.class).as("null").isThrownBy(() -> later.fail("").block(PATIENCE));
		String name = later.fail("NOT_FOUND").onErrorResume((failure) -> Mono.just("none")).block(PATIENCE);
		assertThat(name).isEqualTo("none");
	}

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "NATIVE", "GRPC" })
	void cancel_reachesServer(Protocol protocol) throws Exception {
		Disposable call = reference(protocol).never().subscribe();
		assertThat(this.started.get(20, TimeUnit.SECONDS)).isTrue();
		call.dispose();
		assertThat(this.cancelled.get(20, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void context_isThatOfTheCaller_notOfTheSubscriber() throws Exception {
		Later later = reference(Protocol.NATIVE);
		Mono<String> greeting = CallOptions.with("tenant", "acme").call(() -> later.greet("Ann"));
		CallOptions.with("tenant", "other").run(() -> greeting.block(PATIENCE));
		later.greet("Bob").block(PATIENCE);
		assertThat(this.tenants).containsExactly("acme", "null");
	}

	@Test
	void operators_work() {
		Later later = reference(Protocol.NATIVE);
		List<String> all = Flux.range(0, 50)
			.flatMap((number) -> later.greet("n" + number), 8)
			.collectList()
			.block(PATIENCE);
		assertThat(all).hasSize(50).contains("hello n0", "hello n49");
		assertThat(
				Mono.zip(later.greet("a"), later.greet("b")).map((both) -> both.getT1() + both.getT2()).block(PATIENCE))
			.isEqualTo("hello ahello b");
		assertThat(later.fail("UNAVAILABLE").retry(2).onErrorReturn("gone").block(PATIENCE)).isEqualTo("gone");
	}

	@Test
	void fallback_answers_withItsOwn() {
		Later fallback = (Later) Proxy.newProxyInstance(Later.class.getClassLoader(), new Class<?>[] { Later.class },
				(self, method, arguments) -> Mono.just("fallback"));
		Later later = reference(Protocol.NATIVE, ReferenceOptions.defaults().withFallback(() -> fallback));
		assertThat(later.greet("Ann").block(PATIENCE)).isEqualTo("hello Ann");
		this.server.close();
		assertThat(later.greet("Ann").block(PATIENCE)).isEqualTo("fallback");
	}

	@Test
	void broadcast_isRefused() {
		Later later = reference(Protocol.NATIVE);
		assertThatIllegalArgumentException().isThrownBy(() -> Broadcast.to(later).call((service) -> service.greet("x")))
			.withMessageContaining("returns a Mono");
	}

}
