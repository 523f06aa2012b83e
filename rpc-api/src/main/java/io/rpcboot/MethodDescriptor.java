package io.rpcboot;

import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

/**
 * One operation of a service.
 *
 * @param service the service
 * @param number position among the methods of the service, from 0, the same for equal
 * contracts
 * @param method the interface method
 * @param style how the caller waits
 * @param declaredExceptions the exceptions of the throws clause, in its order
 * @param timeout the method's own timeout, null for that of the reference
 * @param isIdempotent whether the method may run more than once for one call: what its
 * {@link RpcMethod} says, unless the options of the reference or the service at hand say
 * otherwise
 */
public record MethodDescriptor(ServiceId service, int number, Method method, Style style,
		List<Class<?>> declaredExceptions, @Nullable Duration timeout, boolean isIdempotent) {

	/** How the caller waits for the result. */
	public enum Style {

		/** The calling thread waits. */
		BLOCKING,

		/** The method returns a {@code CompletableFuture} or {@code CompletionStage}. */
		FUTURE,

		/** Nobody waits; there is no answer. */
		ONE_WAY

	}

	/**
	 * The name of the method.
	 * @return the simple name
	 */
	public String name() {
		return this.method.getName();
	}

	/**
	 * The method as a person writes it, unique within its service, without a
	 * {@linkplain #contextParameter() parameter for the context}.
	 * @return for example {@code getUser(long)}
	 */
	public String signature() {
		return ServiceDescriptor.signature(this.method);
	}

	/**
	 * Where the method takes the context of its call: a parameter that is no part of the
	 * contract. At the server it has the context, and what a caller gives for it is not
	 * looked at.
	 * @return index of the parameter of type {@link io.rpcboot.context.RpcContext}; -1 if
	 * there is none
	 */
	public int contextParameter() {
		return ServiceDescriptor.contextParameters(this.method).findFirst().orElse(-1);
	}

	/**
	 * The same method, of which something else is said.
	 * @param idempotent whether it may run more than once for one call
	 * @return this if nothing changes
	 */
	public MethodDescriptor withIdempotent(boolean idempotent) {
		return (idempotent == this.isIdempotent) ? this : new MethodDescriptor(this.service, this.number, this.method,
				this.style, this.declaredExceptions, this.timeout, idempotent);
	}

	/**
	 * The same method, of which the caller waits otherwise.
	 * @param style {@link Style#FUTURE} where several calls are made at the same time,
	 * whatever the method returns
	 * @return this if nothing changes
	 */
	public MethodDescriptor withStyle(Style style) {
		return (style == this.style) ? this : new MethodDescriptor(this.service, this.number, this.method, style,
				this.declaredExceptions, this.timeout, this.isIdempotent);
	}

	/**
	 * Whether an object may stand for what the method returns: for interceptors, which
	 * may answer by themselves.
	 * @param result a value, a future of one, or null
	 * @return true for any object if the method returns nothing, and for a future of any
	 * method of style {@link Style#FUTURE}
	 */
	public boolean canReturn(@Nullable Object result) {
		Class<?> type = MethodType.methodType(this.method.getReturnType()).wrap().returnType();
		boolean later = this.style == Style.FUTURE && !CompletionStage.class.isAssignableFrom(type);
		if (type == Void.class || (later && result instanceof CompletionStage)) {
			return true;
		}
		return (result != null) ? type.isInstance(result)
				: !this.method.getReturnType().isPrimitive() && this.style != Style.FUTURE;
	}

	/**
	 * Whether callers see an exception as it is.
	 * @param thrown what the implementation throws
	 * @return true if the throws clause names its type or one above
	 */
	public boolean declares(@Nullable Throwable thrown) {
		return this.declaredExceptions.stream().anyMatch((type) -> type.isInstance(thrown));
	}

	/**
	 * Service and method, for messages.
	 * @return for example {@code com.acme.UserService.getUser(long)}
	 */
	@Override
	public String toString() {
		return this.service + "." + signature();
	}

}
