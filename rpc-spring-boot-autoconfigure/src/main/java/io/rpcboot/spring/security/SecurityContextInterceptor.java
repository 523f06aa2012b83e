package io.rpcboot.spring.security;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.interceptor.ThreadScope;
import io.rpcboot.spring.service.ServiceEntry;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.util.ClassUtils;

/**
 * Sets the security context of the threads that run code of a call, for the time of the
 * call. Exceptions of method security become UNAUTHENTICATED and PERMISSION_DENIED, with
 * a message that tells nothing. Runs inside of the observation of a call and outside of
 * other interceptors.
 */
final class SecurityContextInterceptor implements RpcServerInterceptor, Ordered {

	private static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 200;

	private final CallerAuthentications authentications;

	private final SecurityContextHolderStrategy holder;

	/** True if Reactor and Micrometer's context propagation are there. */
	private final boolean isReactive = isPresent("reactor.core.publisher.Mono")
			&& isPresent("io.micrometer.context.ThreadLocalAccessor");

	SecurityContextInterceptor(CallerAuthentications authentications, SecurityContextHolderStrategy holder) {
		this.authentications = authentications;
		this.holder = holder;
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, SecurityContextInterceptor.class.getClassLoader());
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Position position() {
		return Position.BEFORE_ARGUMENTS;
	}

	@Override
	public @Nullable Object intercept(ServerInvocation call) throws Throwable {
		Authentication caller = this.authentications.of(call.context().caller());
		ServiceEntry entry = new ServiceEntry();
		ThreadScope scope = () -> open(caller, entry);
		call.addScope(scope);
		Runnable close = scope.open();
		try {
			Object result = call.proceed();
			return (result instanceof CompletionStage<?> stage) ? follow(stage, call, caller) : result;
		}
		catch (AccessDeniedException | AuthenticationException ex) {
			throw refusal(ex, call, caller, !entry.isRefusedBefore());
		}
		finally {
			close.run();
		}
	}

	/** Sets a context of its own, because code of the call may change it. */
	private Runnable open(Authentication caller, ServiceEntry entry) {
		Runnable end = entry.open();
		SecurityContext before = this.holder.getContext();
		SecurityContext context = this.holder.createEmptyContext();
		context.setAuthentication(caller);
		this.holder.setContext(context);
		Runnable endReactive = this.isReactive ? ReactiveSecurityScope.open(context) : null;
		return () -> {
			end.run();
			if (endReactive != null) {
				endReactive.run();
			}
			if (before.getAuthentication() == null) {
				this.holder.clearContext();
			}
			else {
				this.holder.setContext(before);
			}
		};
	}

	private static CompletableFuture<Object> follow(CompletionStage<?> stage, ServerInvocation call,
			Authentication caller) {
		CompletableFuture<Object> result = new CompletableFuture<>();
		stage.whenComplete((value, failure) -> {
			Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : failure;
			if (failure == null) {
				result.complete(value);
			}
			else if (cause instanceof AccessDeniedException || cause instanceof AuthenticationException) {
				result.completeExceptionally(refusal(cause, call, caller, true));
			}
			else {
				result.completeExceptionally(failure);
			}
		});
		return result;
	}

	private static RpcException refusal(Throwable cause, ServerInvocation call, Authentication caller,
			boolean mayHaveExecuted) {
		boolean isUnknown = cause instanceof AuthenticationException || caller instanceof AnonymousAuthenticationToken;
		return call.refusal(
				isUnknown ? RpcStatus.UNAUTHENTICATED : RpcStatus.PERMISSION_DENIED, isUnknown
						? "the call needs a caller that has proved its identity" : "the caller may not make this call",
				mayHaveExecuted, cause);
	}

}
