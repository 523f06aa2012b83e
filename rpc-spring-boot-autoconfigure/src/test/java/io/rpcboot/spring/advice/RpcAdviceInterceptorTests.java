package io.rpcboot.spring.advice;

import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.spring.RpcAdvice;
import io.rpcboot.spring.RpcExceptionHandler;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

class RpcAdviceInterceptorTests {

	/** A call that is answered by a future, and of which nobody learns more. */
	private static ServerInvocation call(CompletableFuture<?> result) {
		return (ServerInvocation) Proxy.newProxyInstance(ServerInvocation.class.getClassLoader(),
				new Class<?>[] { ServerInvocation.class }, (self, method, arguments) -> {
					if (method.getName().equals("proceed")) {
						return result;
					}
					throw new LinkageError(method.getName());
				});
	}

	@Test
	void call_completesExceptionally_whenHandlerThrowsError() throws Throwable {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Advice.class)) {
			RpcAdviceInterceptor interceptor = new RpcAdviceInterceptor(context.getBeanFactory());
			CompletableFuture<String> result = new CompletableFuture<>();
			CompletableFuture<?> answer = (CompletableFuture<?>) interceptor.intercept(call(result));
			result.completeExceptionally(new IllegalArgumentException());
			assertThat(answer).isCompletedExceptionally();
			assertThat(catchThrowable(answer::join)).hasCauseInstanceOf(LinkageError.class);
		}
	}

	@RpcAdvice
	static class Advice {

		@RpcExceptionHandler
		Throwable any(IllegalArgumentException ex) {
			return new IllegalStateException(ex);
		}

	}

}
