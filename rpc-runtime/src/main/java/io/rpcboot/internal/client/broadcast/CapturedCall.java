package io.rpcboot.internal.client.broadcast;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.reference.ServiceProxy;
import io.rpcboot.internal.stream.LaterResult;
import org.jspecify.annotations.Nullable;

/**
 * Method and arguments of the one call that a function of the application makes.
 *
 * @param method called method
 * @param arguments its arguments, one for each parameter
 */
public record CapturedCall(BoundMethod method, @Nullable Object[] arguments) {

	/** Returned by a function whose result is not compared. */
	public static final Object ANYTHING = new Object();

	private static final String RULE = "(expected: exactly one call, on the parameter of the function,"
			+ " whose result is returned as it is)";

	/**
	 * Runs a function with an object that records the call and sends nothing.
	 * @throws IllegalArgumentException if the function does not make exactly one call and
	 * return its result
	 */
	public static <T> CapturedCall of(Class<T> type, ServiceProxy methods, Function<T> function) {
		Recorder recorder = new Recorder(methods);
		T service = type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, recorder));
		Object returned;
		try {
			returned = function.on(service);
		}
		catch (Exception ex) {
			throw new IllegalArgumentException("call: the function has thrown " + ex + " " + RULE, ex);
		}
		CapturedCall recorded = recorder.recorded;
		if (recorded == null || recorder.calls != 1) {
			throw new IllegalArgumentException(
					"call: the function makes %d calls of %s %s".formatted(recorder.calls, type.getName(), RULE));
		}
		if (returned != ANYTHING && !Objects.equals(returned, recorder.result)) {
			throw new IllegalArgumentException("call: the function returns something other than the result of %s %s"
				.formatted(recorded.method().descriptor, RULE));
		}
		return recorded;
	}

	/**
	 * Function that makes one call.
	 *
	 * @param <T> the interface of the service
	 */
	public interface Function<T> {

		@Nullable Object on(T service) throws Exception;

	}

	/** Invocation handler of the parameter of the function. */
	private static final class Recorder implements InvocationHandler {

		private final ServiceProxy methods;

		private int calls;

		private @Nullable CapturedCall recorded;

		private @Nullable Object result;

		Recorder(ServiceProxy methods) {
			this.methods = methods;
		}

		@Override
		public @Nullable Object invoke(Object self, Method called, @Nullable Object @Nullable [] arguments)
				throws Throwable {
			BoundMethod method = this.methods.methods.get(called);
			if (method == null) {
				return this.methods.invokeObjectMethod(self, called, arguments);
			}
			if (method.isStreaming) {
				throw new IllegalArgumentException("call: %s %s (expected: a method with single values)"
					.formatted(method.descriptor, (method.style == Style.STREAM) ? "returns a stream"
							: method.callbacks.isEmpty() ? "takes a stream" : "takes a callback"));
			}
			if (LaterResult.isMono(called)) {
				throw new IllegalArgumentException(
						"call: %s returns a Mono (expected: a CompletableFuture, or the value)"
							.formatted(method.descriptor));
			}
			this.calls++;
			this.recorded = new CapturedCall(method, (arguments != null) ? arguments.clone() : new Object[0]);
			Class<?> type = called.getReturnType();
			if (method.style == Style.FUTURE) {
				this.result = new CompletableFuture<>();
			}
			else if (type.isPrimitive() && type != void.class) {
				this.result = Array.get(Array.newInstance(type, 1), 0);
			}
			return this.result;
		}

	}

}
