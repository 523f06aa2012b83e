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
 * Asks the {@link RpcAdvice} beans what callers get in place of an exception. Stands next
 * to the implementation, so that other interceptors see what it makes of it.
 */
public final class RpcAdviceInterceptor implements RpcServerInterceptor, Ordered {

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	private final List<ExceptionHandlers> advice = new ArrayList<>();

	/**
	 * Create an interceptor.
	 * @param beanFactory has the beans; those of parent contexts are asked, too
	 * @throws io.rpcboot.RpcConfigurationException if one of their methods cannot be
	 * called
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
			Throwable answer = ask(each, call, thrown);
			if (answer != null) {
				return answer;
			}
		}
		return thrown;
	}

	/** Returns null if it says nothing. */
	private static @Nullable Throwable ask(ExceptionHandlers handlers, ServerInvocation call, Throwable thrown) {
		Throwable answer = handlers.handle(thrown, call);
		if (answer == null || answer == thrown) {
			return answer;
		}
		boolean fits = answer instanceof RpcException || call.method().declares(answer);
		if (!fits) {
			logger.warn(
					"{} answers {} of {} with {} (expected: an RpcException, or an exception that the method declares); "
							+ "it goes on as it was",
					handlers, thrown.getClass().getName(), call.method(), answer.getClass().getName(), answer);
		}
		return fits ? answer : thrown;
	}

}
