package io.rpcboot.client;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.internal.client.broadcast.BroadcastExecution;
import io.rpcboot.internal.client.broadcast.CapturedCall;
import io.rpcboot.internal.client.reference.InterceptingProxy;
import io.rpcboot.internal.client.reference.ServiceProxy;
import org.jspecify.annotations.Nullable;

/**
 * Caller of all instances of a service:
 *
 * <pre>{@code
 * BroadcastReport<Integer> report = Broadcast.to(this.cache).call((cache) -> cache.evict("a7"));
 * report.failures().forEach((each) -> log.warn("{}: {}", each.endpoint(), each.status()));
 * }</pre>
 *
 * The function runs once, before anything is sent, to capture method and arguments. It
 * makes exactly one call, on its parameter, and returns the result of that call. The
 * captured call is then made at all known instances at the same time, including ejected
 * and frozen instances and those of other zones and tags. Each call is made once, without
 * retries. An instance without a connection is reported as
 * {@link io.rpcboot.RpcStatus#UNAVAILABLE}.
 * <p>
 * Each call has its own interceptors, attachments, metrics and timeout. Interceptors see
 * style {@link Style#FUTURE}, whatever the method returns; fallbacks are not used.
 * Thread-safe.
 *
 * @param <T> the interface of the service
 * @since 0.1.0
 */
public final class Broadcast<T> {

	private final T reference;

	private final Class<T> type;

	private final ServiceProxy proxy;

	private final InterceptingProxy interceptors;

	private Broadcast(T reference, Class<T> type, InterceptingProxy interceptors) {
		this.reference = reference;
		this.type = type;
		this.interceptors = interceptors;
		this.proxy = interceptors.proxy();
	}

	/**
	 * Function that calls a method with a result.
	 *
	 * @param <T> the interface of the service
	 * @param <R> the return type of the method
	 */
	@FunctionalInterface
	public interface Call<T, R extends @Nullable Object> {

		/**
		 * Makes the call.
		 * @param service object on which the call is made
		 * @return the result of the call
		 * @throws Exception declared exceptions of the method
		 */
		R on(T service) throws Exception;

	}

	/**
	 * Function that calls a method without a result.
	 *
	 * @param <T> the interface of the service
	 */
	@FunctionalInterface
	public interface Action<T> {

		/**
		 * Makes the call.
		 * @param service object on which the call is made
		 * @throws Exception declared exceptions of the method
		 */
		void on(T service) throws Exception;

	}

	/**
	 * Returns the broadcast of a reference.
	 * @param reference proxy of {@code @RpcReference} or {@link RpcClient#reference}, or
	 * a proxy around it with a {@link ReferenceWrapper}, or one that a
	 * {@link ReferenceUnwrapper} knows, such as those of Spring's aspects
	 * @param <T> the interface of the service
	 * @return a broadcast, reusable for many calls
	 * @throws IllegalArgumentException if the object is not such a proxy
	 */
	@SuppressWarnings("unchecked")
	public static <T> Broadcast<T> to(T reference) {
		InterceptingProxy interceptors = InterceptingProxy.of(handler(reference));
		if (interceptors == null) {
			throw new IllegalArgumentException(
					("reference: an object of %s (expected: the proxy that @RpcReference or RpcClient.reference made,"
							+ " or a proxy of Spring around it that is not opaque)")
						.formatted(reference.getClass().getName()));
		}
		Class<T> type = (Class<T>) interceptors.proxy().router.binding().service().type();
		return new Broadcast<>(reference, type, interceptors);
	}

	/**
	 * Returns the handler of the reference behind all proxies around it, if there is one.
	 */
	private static @Nullable InvocationHandler handler(Object reference) {
		Object object = reference;
		while (true) {
			Object behind = behind(object);
			if (behind == null || behind == object) {
				break;
			}
			object = behind;
		}
		InvocationHandler handler = Proxy.isProxyClass(object.getClass()) ? Proxy.getInvocationHandler(object) : null;
		while (handler instanceof ReferenceWrapper wrapper) {
			handler = wrapper.wrapped();
		}
		return handler;
	}

	private static @Nullable Object behind(Object proxy) {
		for (ReferenceUnwrapper unwrapper : Unwrappers.ALL) {
			Object behind = unwrapper.unwrap(proxy);
			if (behind != null) {
				return behind;
			}
		}
		return null;
	}

	/** Loads the unwrappers at the first broadcast. */
	private static final class Unwrappers {

		static final List<ReferenceUnwrapper> ALL = ServiceLoader
			.load(ReferenceUnwrapper.class, ReferenceUnwrapper.class.getClassLoader())
			.stream()
			.map(ServiceLoader.Provider::get)
			.toList();

	}

	/**
	 * Calls a method and waits for all replies.
	 * @param call function that makes one call of a method that returns a value
	 * @param <R> the return type of the method
	 * @return the result of each instance. If the calling thread is interrupted, pending
	 * calls end with {@link io.rpcboot.RpcStatus#CANCELLED}, and the interrupt flag is
	 * set again
	 * @throws IllegalArgumentException if the function does not make exactly one call and
	 * return its result
	 * @throws io.rpcboot.RpcException if no instance is known, or the thread must not
	 * block
	 */
	public <R extends @Nullable Object> BroadcastReport<R> call(Call<T, R> call) {
		return await(valueOf(call));
	}

	/**
	 * Calls a method without a result and waits until all calls have ended. A one-way
	 * call ends when the socket has taken it.
	 * @param call function that makes one call of a method that returns nothing
	 * @return the result of each instance, as for {@link #call}
	 * @throws IllegalArgumentException if the function does not make exactly one call
	 * @throws io.rpcboot.RpcException if no instance is known, or the thread must not
	 * block
	 */
	public BroadcastReport<@Nullable Void> run(Action<T> call) {
		return await(nothingOf(call));
	}

	/**
	 * Calls a method without waiting. If no instance is known yet, the calls begin on a
	 * callback thread once one is, and the arguments must not change until then.
	 * @param call function that makes one call of a method that returns a value
	 * @param <R> the return type of the method
	 * @return the future of the report, completed by the {@link CallbackThread} of the
	 * reference; exceptionally if no instance becomes known in the time for which calls
	 * of the reference wait for one. Its cancellation cancels the calls
	 * @throws IllegalArgumentException if the function does not make exactly one call and
	 * return its result
	 */
	public <R extends @Nullable Object> CompletableFuture<BroadcastReport<R>> callLater(Call<T, R> call) {
		return begin(valueOf(call));
	}

	/**
	 * Calls a method without a result and without waiting.
	 * @param call function that makes one call of a method that returns nothing
	 * @return the future of the report, as for {@link #callLater}
	 * @throws IllegalArgumentException if the function does not make exactly one call
	 */
	public CompletableFuture<BroadcastReport<@Nullable Void>> runLater(Action<T> call) {
		return begin(nothingOf(call));
	}

	/**
	 * Calls a method that returns a future.
	 * @param call function that makes one call and returns its future
	 * @param <R> the type in the future
	 * @return the future of the report, as for {@link #callLater}
	 * @throws IllegalArgumentException if the function does not make exactly one call and
	 * return its result
	 */
	public <R extends @Nullable Object> CompletableFuture<BroadcastReport<R>> callFuture(
			Call<T, CompletionStage<R>> call) {
		return begin(CapturedCall.of(this.type, this.proxy, call::on));
	}

	private CapturedCall valueOf(Call<T, ?> call) {
		CapturedCall captured = CapturedCall.of(this.type, this.proxy, call::on);
		if (captured.method().style == Style.FUTURE) {
			throw new IllegalArgumentException(
					"call: %s returns a future (expected: a method that returns a value); use callFuture"
						.formatted(captured.method().descriptor));
		}
		return captured;
	}

	private CapturedCall nothingOf(Action<T> call) {
		return CapturedCall.of(this.type, this.proxy, (service) -> {
			call.on(service);
			return CapturedCall.ANYTHING;
		});
	}

	private <R extends @Nullable Object> BroadcastReport<R> await(CapturedCall captured) {
		captured.method().requireBlockingThread();
		return BroadcastExecution.call(this.interceptors, captured);
	}

	private <R extends @Nullable Object> CompletableFuture<BroadcastReport<R>> begin(CapturedCall captured) {
		return BroadcastExecution.begin(this.interceptors, captured);
	}

	@Override
	public String toString() {
		return "broadcast to " + this.reference;
	}

}
