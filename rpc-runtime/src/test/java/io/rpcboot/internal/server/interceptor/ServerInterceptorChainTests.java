package io.rpcboot.internal.server.interceptor;

import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcMethod;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.context.RpcContext;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.interceptor.StreamCounts;
import io.rpcboot.interceptor.ThreadScope;

import static org.assertj.core.api.Assertions.assertThat;

/** Interceptors that go on in several threads at once. */
class ServerInterceptorChainTests {

	/** A service of which a method may run again. */
	public interface Lookup {

		@RpcMethod(idempotent = true)
		String find(String key);

	}

	private @Nullable Thread second;

	@Test
	void arguments_areReadOnce_whenTwoThreadsProceed() throws Throwable {
		RpcServerInterceptor twice = new RpcServerInterceptor() {
			@Override
			public Position position() {
				return Position.BEFORE_ARGUMENTS;
			}

			@Override
			public @Nullable Object intercept(ServerInvocation invocation) throws Throwable {
				FutureTask<@Nullable Object> again = new FutureTask<>(() -> proceed(invocation));
				ServerInterceptorChainTests.this.second = new Thread(again, "second");
				assertThat(invocation.proceed()).isEqualTo("found");
				return again.get();
			}
		};
		ServerInterceptorChain chain = ServerInterceptorChain.of(List.of(twice), List.of());
		assertThat(chain).isNotNull();
		Target target = new Target();
		assertThat(chain.new Run(target).proceed()).isEqualTo("found");
		assertThat(target.reads).hasValue(1);
		assertThat(target.invocations).hasValue(2);
	}

	private static @Nullable Object proceed(ServerInvocation invocation) throws Exception {
		try {
			return invocation.proceed();
		}
		catch (Exception | Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			throw new IllegalStateException(ex);
		}
	}

	private final class Target implements ServerInterceptorChain.Target {

		private final MethodDescriptor method = ServiceDescriptor.of(Lookup.class).methods().get(0);

		final AtomicInteger reads = new AtomicInteger();

		final AtomicInteger invocations = new AtomicInteger();

		@Override
		public MethodDescriptor method() {
			return this.method;
		}

		@Override
		public RpcContext context() {
			throw new UnsupportedOperationException();
		}

		@Override
		public void addScope(ThreadScope scope) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void traceId(String id) {
			throw new UnsupportedOperationException();
		}

		@Override
		public @Nullable String traceId() {
			return null;
		}

		@Override
		public @Nullable StreamCounts streamed() {
			return null;
		}

		/** The first stays until the other thread reads as well, or waits for it. */
		@Override
		public @Nullable Object[] readArguments() {
			Thread other = ServerInterceptorChainTests.this.second;
			if (this.reads.incrementAndGet() == 1 && other != null) {
				other.start();
				while (this.reads.get() == 1 && other.getState() != Thread.State.BLOCKED) {
					Thread.onSpinWait();
				}
			}
			return new Object[] { "key" };
		}

		@Override
		public @Nullable Object invoke(@Nullable Object[] arguments) {
			this.invocations.incrementAndGet();
			assertThat(arguments).containsExactly("key");
			return "found";
		}

	}

}
