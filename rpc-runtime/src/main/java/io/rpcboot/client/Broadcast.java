package io.rpcboot.client;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.internal.client.broadcast.BroadcastExecution;
import io.rpcboot.internal.client.broadcast.CapturedCall;
import io.rpcboot.internal.client.reference.InterceptingProxy;
import io.rpcboot.internal.client.reference.ServiceProxy;
import org.jspecify.annotations.Nullable;

/**
 * Makes one call at every instance of a service:
 *
 * <pre>{@code
 * BroadcastReport<Integer> report = Broadcast.to(this.cache).call((cache) -> cache.evict("a7"));
 * report.failures().forEach((each) -> log.warn("{}: {}", each.endpoint(), each.status()));
 * }</pre>
 *
 * The function makes exactly one call, on its parameter and not on the reference. It runs
 * once, to learn method and arguments, and returns what that call returns. The call goes
 * to all instances that are known, at the same time: also to those that are ejected,
 * frozen or far away, or have another tag. It goes nowhere else, and is made once. An
 * instance without a connection is reported as {@link io.rpcboot.RpcStatus#UNAVAILABLE};
 * none is left out.
 * <p>
 * Each call has its own interceptors, attachments and metrics, and its own timeout.
 * Interceptors see it as one of style {@link Style#FUTURE}, whatever the method returns,
 * and no fallback answers. Thread-safe.
 *
 * @param <T> the interface
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
	 * The call of a method that returns something.
	 *
	 * @param <T> the interface
	 * @param <R> what the method returns
	 */
	@FunctionalInterface
	public interface Call<T, R extends @Nullable Object> {

		/**
		 * Make the call.
		 * @param service takes it
		 * @return what the call returns
		 * @throws Exception what the interface declares
		 */
		R on(T service) throws Exception;

	}

	/**
	 * The call of a method that returns nothing.
	 *
	 * @param <T> the interface
	 */
	@FunctionalInterface
	public interface Action<T> {

		/**
		 * Make the call.
		 * @param service takes it
		 * @throws Exception what the interface declares
		 */
		void on(T service) throws Exception;

	}

	/**
	 * Choose the service.
	 * @param reference a proxy that {@code @RpcReference} or {@link RpcClient#reference}
	 * made
	 * @param <T> the interface
	 * @return what makes the calls
	 * @throws IllegalArgumentException if it is something else
	 */
	@SuppressWarnings("unchecked")
	public static <T> Broadcast<T> to(T reference) {
		InvocationHandler handler = Proxy.isProxyClass(reference.getClass()) ? Proxy.getInvocationHandler(reference)
				: null;
		while (handler instanceof ReferenceWrapper wrapper) {
			handler = wrapper.wrapped();
		}
		InterceptingProxy interceptors = InterceptingProxy.of(handler);
		if (interceptors == null) {
			throw new IllegalArgumentException(
					("reference: an object of %s (expected: the proxy that @RpcReference or RpcClient.reference made,"
							+ " without another proxy around it)")
						.formatted(reference.getClass().getName()));
		}
		Class<T> type = (Class<T>) interceptors.proxy().directory.binding().service().type();
		return new Broadcast<>(reference, type, interceptors);
	}

	/**
	 * Call and wait for all replies.
	 * @param call makes one call of a method that returns a value
	 * @param <R> what the method returns
	 * @return how the call went at each instance. If the thread is interrupted, the calls
	 * under way end with {@link io.rpcboot.RpcStatus#CANCELLED}
	 * @throws IllegalArgumentException if the function does not make exactly one call and
	 * return its result
	 * @throws io.rpcboot.RpcException if no instance is known, or the thread must not
	 * wait
	 */
	public <R extends @Nullable Object> BroadcastReport<R> call(Call<T, R> call) {
		return await(valueOf(call));
	}

	/**
	 * Call and wait until all have ended. A one-way call has ended when it was handed to
	 * the socket.
	 * @param call makes one call of a method that returns nothing
	 * @return how the call went at each instance, as for {@link #call}
	 * @throws IllegalArgumentException if the function does not make exactly one call
	 * @throws io.rpcboot.RpcException if no instance is known, or the thread must not
	 * wait
	 */
	public BroadcastReport<@Nullable Void> run(Action<T> call) {
		return await(nothingOf(call));
	}

	/**
	 * Call without waiting.
	 * @param call makes one call of a method that returns a value
	 * @param <R> what the method returns
	 * @return completed with the report by the thread that completes futures of the
	 * reference, exceptionally if no instance is known. Who cancels it cancels the calls
	 * @throws IllegalArgumentException if the function does not make exactly one call and
	 * return its result
	 */
	public <R extends @Nullable Object> CompletableFuture<BroadcastReport<R>> callLater(Call<T, R> call) {
		return this.<R>begin(valueOf(call), false).later();
	}

	/**
	 * Call without waiting.
	 * @param call makes one call of a method that returns nothing
	 * @return as for {@link #callLater}
	 * @throws IllegalArgumentException if the function does not make exactly one call
	 */
	public CompletableFuture<BroadcastReport<@Nullable Void>> runLater(Action<T> call) {
		return this.<@Nullable Void>begin(nothingOf(call), false).later();
	}

	/**
	 * Call a method that returns a future.
	 * @param call makes one call and returns its future
	 * @param <R> what is in the future
	 * @return as for {@link #callLater}
	 * @throws IllegalArgumentException if the function does not make exactly one call and
	 * return its result
	 */
	public <R extends @Nullable Object> CompletableFuture<BroadcastReport<R>> callFuture(
			Call<T, CompletionStage<R>> call) {
		return this.<R>begin(CapturedCall.of(this.type, this.proxy, call::on), false).later();
	}

	private CapturedCall valueOf(Call<T, ?> call) {
		CapturedCall recorded = CapturedCall.of(this.type, this.proxy, call::on);
		if (recorded.method().style == Style.FUTURE) {
			throw new IllegalArgumentException(
					"call: %s returns a future (expected: a method that returns a value); use callFuture"
						.formatted(recorded.method().descriptor));
		}
		return recorded;
	}

	private CapturedCall nothingOf(Action<T> call) {
		return CapturedCall.of(this.type, this.proxy, (service) -> {
			call.on(service);
			return CapturedCall.ANYTHING;
		});
	}

	private <R extends @Nullable Object> BroadcastReport<R> await(CapturedCall recorded) {
		recorded.method().requireBlockingThread();
		return this.<R>begin(recorded, true).await();
	}

	private <R extends @Nullable Object> BroadcastExecution<R> begin(CapturedCall recorded, boolean waits) {
		return BroadcastExecution.begin(this.interceptors, recorded, waits);
	}

	@Override
	public String toString() {
		return "broadcast to " + this.reference;
	}

}
