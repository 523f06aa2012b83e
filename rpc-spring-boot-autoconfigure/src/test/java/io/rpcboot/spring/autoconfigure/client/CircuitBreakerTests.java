package io.rpcboot.spring.autoconfigure.client;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.interceptor.ClientInvocation;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A circuit breaker of Resilience4j around the calls of one reference, as
 * docs/reliability.md has it.
 */
public class CircuitBreakerTests {

	private static final int WINDOW = 20;

	private final ApplicationContextRunner runner = Applications.inProcess()
		.withBean(SickStock.class)
		.withUserConfiguration(Breakers.class)
		.withBean(Caller.class);

	@Test
	void blockingCall_failsAtOnce_whenBreakerIsOpen() {
		this.runner.run((context) -> {
			Caller caller = context.getBean(Caller.class);
			SickStock service = context.getBean(SickStock.class);
			opensAfterFailures(caller.stock::count, service, context);
			assertThat(service.calls).as("and no call arrives").hasValue(WINDOW);
			assertThatExceptionOfType(RpcException.class).as("another reference has none")
				.isThrownBy(caller.plain::count)
				.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.APPLICATION));
		});
	}

	@Test
	void asyncCall_failsAtOnce_whenBreakerIsOpen() {
		this.runner.run((context) -> {
			Caller caller = context.getBean(Caller.class);
			SickStock service = context.getBean(SickStock.class);
			opensAfterFailures(() -> {
				try {
					caller.stock.countLater().join();
				}
				catch (CompletionException ex) {
					throw ex.getCause();
				}
			}, service, context);
			assertThat(service.calls).hasValue(WINDOW);
		});
	}

	@Test
	void declaredException_isNotCountedByBreaker() {
		this.runner.run((context) -> {
			Caller caller = context.getBean(Caller.class);
			for (int i = 0; i <= WINDOW; i++) {
				assertThatExceptionOfType(SoldOutException.class).isThrownBy(caller.stock::take);
			}
		});
	}

	@Test
	void breaker_closes_afterSuccessfulHalfOpenCalls() {
		this.runner.run((context) -> {
			Caller caller = context.getBean(Caller.class);
			SickStock service = context.getBean(SickStock.class);
			opensAfterFailures(caller.stock::count, service, context);
			service.sick = false;
			context.getBean(StockBreaker.class).breaker.transitionToHalfOpenState();
			int permitted = context.getBean(StockBreaker.class).breaker.getCircuitBreakerConfig()
				.getPermittedNumberOfCallsInHalfOpenState();
			for (int i = 0; i < permitted / 2; i++) {
				assertThat(caller.stock.count()).isOne();
				assertThat(caller.stock.countLater().join()).isOne();
			}
			CircuitBreaker breaker = context.getBean(StockBreaker.class).breaker;
			Applications.eventually(() -> breaker.getState() == CircuitBreaker.State.CLOSED);
		});
	}

	private static void opensAfterFailures(ThrowingCallable call, SickStock service, ApplicationContext context) {
		CircuitBreaker breaker = context.getBean(StockBreaker.class).breaker;
		for (int i = 0; i < WINDOW; i++) {
			assertThatExceptionOfType(RpcException.class).isThrownBy(call)
				.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.APPLICATION));
		}
		assertThat(service.calls).hasValue(WINDOW);
		Applications.eventually(() -> breaker.getState() == CircuitBreaker.State.OPEN);
		assertThatExceptionOfType(RpcException.class).isThrownBy(call).satisfies((ex) -> {
			assertThat(ex.status()).isEqualTo(RpcStatus.UNAVAILABLE);
			assertThat(ex).hasMessageContaining("the circuit breaker of stock is open");
		});
	}

	/** What is called. */
	public interface Stock {

		int count();

		CompletableFuture<Integer> countLater();

		void take() throws SoldOutException;

	}

	/** What the interface declares. */
	public static class SoldOutException extends Exception {

		private static final long serialVersionUID = 1L;

	}

	@RpcService
	static class SickStock implements Stock {

		final AtomicInteger calls = new AtomicInteger();

		volatile boolean sick = true;

		@Override
		public int count() {
			this.calls.incrementAndGet();
			if (this.sick) {
				throw new IllegalStateException("sick");
			}
			return 1;
		}

		@Override
		public CompletableFuture<Integer> countLater() {
			return CompletableFuture.completedFuture(count());
		}

		@Override
		public void take() throws SoldOutException {
			throw new SoldOutException();
		}

	}

	static class Caller {

		@RpcReference(interceptors = StockBreaker.class)
		Stock stock;

		@RpcReference
		Stock plain;

	}

	@Configuration(proxyBeanMethods = false)
	static class Breakers {

		@Bean(defaultCandidate = false)
		StockBreaker stockBreaker() {
			return new StockBreaker();
		}

	}

	static class StockBreaker implements RpcClientInterceptor {

		private static final Set<RpcStatus> TROUBLE = EnumSet.of(RpcStatus.UNAVAILABLE, RpcStatus.DEADLINE_EXCEEDED,
				RpcStatus.RESOURCE_EXHAUSTED, RpcStatus.INTERNAL, RpcStatus.APPLICATION);

		private final CircuitBreaker breaker = CircuitBreaker.of("stock",
				CircuitBreakerConfig.custom()
					.slidingWindowSize(20)
					.minimumNumberOfCalls(20)
					.recordException((ex) -> ex instanceof RpcException failure && TROUBLE.contains(failure.status()))
					.build());

		@Override
		public Object intercept(ClientInvocation call) throws Throwable {
			if (!this.breaker.tryAcquirePermission()) {
				throw new RpcException(RpcStatus.UNAVAILABLE, "the circuit breaker of stock is open", false);
			}
			long begin = this.breaker.getCurrentTimestamp();
			try {
				Object result = call.proceed();
				if (result instanceof CompletableFuture<?> future) {
					future.whenComplete((value, failure) -> ended(begin, failure));
				}
				else {
					ended(begin, null);
				}
				return result;
			}
			catch (Throwable ex) {
				ended(begin, ex);
				throw ex;
			}
		}

		private void ended(long begin, Throwable failure) {
			long took = this.breaker.getCurrentTimestamp() - begin;
			if (failure == null) {
				this.breaker.onSuccess(took, this.breaker.getTimestampUnit());
			}
			else {
				this.breaker.onError(took, this.breaker.getTimestampUnit(), failure);
			}
		}

	}

}
