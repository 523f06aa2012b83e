package io.rpcboot;

import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

/**
 * A method of a service. Interceptors and load balancers get it with each call;
 * {@link ServiceDescriptor#of(Class)} makes it.
 *
 * @param service the service
 * @param number index among the methods of the service, from 0; equal contracts have
 * equal numbers
 * @param method the method of the interface
 * @param style the way in which the caller waits
 * @param declaredExceptions the exceptions of the throws clause, in its order
 * @param timeout the timeout of {@link RpcMethod#timeout()}, null for that of the
 * reference
 * @param isIdempotent true if the method may run more than once for one call. The options
 * of a reference or a service override {@link RpcMethod#idempotent()}
 * @param name the simple name, such as {@code getUser}. That of the method, unless no
 * interface declares it: a method of a service that is offered over gRPC alone
 * @since 0.1.0
 */
public record MethodDescriptor(ServiceId service, int number, Method method, Style style,
		List<Class<?>> declaredExceptions, @Nullable Duration timeout, boolean isIdempotent, String name) {

	/**
	 * Creates a method with the name that the interface declares.
	 */
	public MethodDescriptor(ServiceId service, int number, Method method, Style style,
			List<Class<?>> declaredExceptions, @Nullable Duration timeout, boolean isIdempotent) {
		this(service, number, method, style, declaredExceptions, timeout, isIdempotent, method.getName());
	}

	/**
	 * Way in which a caller waits for the result.
	 *
	 * @since 0.1.0
	 */
	public enum Style {

		/** The calling thread waits. */
		BLOCKING,

		/**
		 * A {@code CompletableFuture}, a {@code CompletionStage} or a {@code Mono} gets
		 * the result.
		 */
		FUTURE,

		/** The caller does not wait: the server sends no reply. */
		ONE_WAY,

		/**
		 * A {@code Flow.Publisher}, {@code Flux} or {@link RpcStream}, an
		 * {@code Iterator} or a {@code Stream} gives the results one after the other, an
		 * {@code InputStream} the bytes. A stream of the caller is another matter, see
		 * {@link #streamParameter()}.
		 */
		STREAM

	}

	/**
	 * Returns the name with the types of the parameters, which is unique within the
	 * service. The {@linkplain #contextParameter() parameter for the context} is left
	 * out.
	 * @return such as {@code getUser(long)}
	 */
	public String signature() {
		return ServiceDescriptor.signature(this.name, this.method);
	}

	/**
	 * Returns the index of the parameter of type {@link io.rpcboot.context.RpcContext}.
	 * It is no part of the contract: the server passes the context of the call, and the
	 * argument of the caller is ignored.
	 * @return the index, from 0; -1 if the method has no such parameter
	 */
	public int contextParameter() {
		return ServiceDescriptor.contextParameters(this.method).findFirst().orElse(-1);
	}

	/**
	 * Returns the index of the parameter that is a stream of values: a
	 * {@code Flow.Publisher}, {@code Flux} or {@link RpcStream}, an {@code Iterator}, a
	 * {@code Stream} or an {@code InputStream}. Only the {@linkplain #contextParameter()
	 * context} may follow it.
	 * @return the index, from 0; -1 if the caller sends no stream
	 */
	public int streamParameter() {
		return ServiceDescriptor.streamParameters(this.method).findFirst().orElse(-1);
	}

	/**
	 * Returns the indexes of the parameters with {@link RpcCallback}.
	 * @return indexes from 0, rising; empty for none
	 */
	public List<Integer> callbackParameters() {
		return CallbackRules.parameters(this.method).boxed().toList();
	}

	/**
	 * Returns true if the caller sends a stream of values, gets one, or both, or takes
	 * calls of a callback.
	 * @return true for a method that HTTP/2 alone carries
	 */
	public boolean isStreaming() {
		return this.style == Style.STREAM || streamParameter() >= 0 || !callbackParameters().isEmpty();
	}

	/**
	 * Returns true if the caller sends a stream and nothing before it.
	 * @return true if there is no parameter beside {@link #streamParameter()} and
	 * {@link #contextParameter()}
	 */
	public boolean hasElementsOnly() {
		int contexts = (contextParameter() >= 0) ? 1 : 0;
		return streamParameter() >= 0 && this.method.getParameterCount() == 1 + contexts;
	}

	/**
	 * Returns true if executing the method changes nothing.
	 * @return the value of {@link RpcMethod#safe()}
	 */
	public boolean isSafe() {
		RpcMethod policy = this.method.getAnnotation(RpcMethod.class);
		return policy != null && policy.safe();
	}

	/**
	 * Returns this method with another value of {@link #isIdempotent()}.
	 * @param idempotent true if the method may run more than once for one call
	 * @return this object if it has that value
	 */
	public MethodDescriptor withIdempotent(boolean idempotent) {
		return (idempotent == this.isIdempotent) ? this : new MethodDescriptor(this.service, this.number, this.method,
				this.style, this.declaredExceptions, this.timeout, idempotent, this.name);
	}

	/**
	 * Returns this method with another style. A broadcast calls every method with
	 * {@link Style#FUTURE}.
	 * @param style the style
	 * @return this object if it has that style
	 */
	public MethodDescriptor withStyle(Style style) {
		return (style == this.style) ? this : new MethodDescriptor(this.service, this.number, this.method, style,
				this.declaredExceptions, this.timeout, this.isIdempotent, this.name);
	}

	/**
	 * Returns true if an interceptor may return an object in place of the result.
	 * @param result a value, a future of a value, or null
	 * @return true if the object is of the return type. A method that returns
	 * {@code void} accepts any object, and {@link Style#FUTURE} a future in place of a
	 * value
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
	 * Returns true if callers get an exception of the implementation as it is.
	 * @param thrown the exception, null for none
	 * @return true if the throws clause names its class or a superclass
	 */
	public boolean declares(@Nullable Throwable thrown) {
		return this.declaredExceptions.stream().anyMatch((type) -> type.isInstance(thrown));
	}

	/**
	 * Returns service and signature, for messages.
	 * @return such as {@code com.acme.UserService.getUser(long)}
	 */
	@Override
	public String toString() {
		return this.service + "." + signature();
	}

}
