package io.rpcboot.spring.advice;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

import io.rpcboot.RpcException;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.spring.RpcAdvice;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;

/**
 * Maps exceptions by the {@link RpcAdvice} beans of the context and its parents. Runs
 * innermost, so that other interceptors see the mapped exception.
 *
 * @since 0.1.0
 */
public final class RpcAdviceInterceptor implements RpcServerInterceptor, Ordered {

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	private final List<ExceptionHandlers> advice = new ArrayList<>();

	/**
	 * Creates an interceptor.
	 * @param beanFactory the context whose beans are used, including those of parents
	 * @throws io.rpcboot.RpcConfigurationException if a method has a wrong signature
	 */
	public RpcAdviceInterceptor(ListableBeanFactory beanFactory) {
		List<Object> beans = new ArrayList<>();
		for (String name : BeanFactoryUtils.beanNamesForAnnotationIncludingAncestors(beanFactory, RpcAdvice.class)) {
			if (!ScopedProxyUtils.isScopedTarget(name)) {
				beans.add(beanFactory.getBean(name));
			}
		}
		AnnotationAwareOrderComparator.sort(beans);
		beans.forEach((bean) -> this.advice.add(new ExceptionHandlers(bean, AopUtils.getTargetClass(bean))));
	}

	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

	@Override
	public @Nullable Object intercept(ServerInvocation call) throws Throwable {
		Object result;
		try {
			result = call.proceed();
		}
		catch (Throwable ex) {
			throw answer(call, ex);
		}
		return (result instanceof CompletionStage<?> stage) ? follow(call, stage) : result;
	}

	private CompletableFuture<Object> follow(ServerInvocation call, CompletionStage<?> stage) {
		CompletableFuture<Object> answer = new CompletableFuture<>();
		stage.whenComplete((value, failure) -> {
			if (failure == null) {
				answer.complete(value);
				return;
			}
			Throwable cause = failure.getCause();
			try {
				answer.completeExceptionally(
						answer(call, (failure instanceof CompletionException && cause != null) ? cause : failure));
			}
			catch (Throwable ex) {
				answer.completeExceptionally(ex);
			}
		});
		return answer;
	}

	private Throwable answer(ServerInvocation call, Throwable thrown) {
		for (ExceptionHandlers each : this.advice) {
			Throwable answer = map(each, call, thrown);
			if (answer != null) {
				return answer;
			}
		}
		return thrown;
	}

	/**
	 * Returns the mapped exception; null if no method handles it. An exception that the
	 * caller could not receive is logged, and the original one is returned.
	 */
	private static @Nullable Throwable map(ExceptionHandlers handlers, ServerInvocation call, Throwable thrown) {
		Throwable answer = handlers.handle(thrown, call);
		if (answer == null || answer == thrown) {
			return answer;
		}
		boolean fits = answer instanceof RpcException || call.method().declares(answer);
		if (!fits) {
			logger.warn(
					"{} answers {} of {} with {} (expected: an RpcException, or an exception that the method declares); "
							+ "the original exception is used",
					handlers, thrown.getClass().getName(), call.method(), answer.getClass().getName(), answer);
		}
		return fits ? answer : thrown;
	}

}
