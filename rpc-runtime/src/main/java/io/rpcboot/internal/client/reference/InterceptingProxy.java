package io.rpcboot.internal.client.reference;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.runtime.ClientOptions;
import org.jspecify.annotations.Nullable;

/**
 * Proxy of a reference with interceptors: runs each call through a
 * {@link ClientInterceptorChain}, which ends at the service proxy. Any thread.
 */
public final class InterceptingProxy implements InvocationHandler {

	private final ServiceProxy proxy;

	private final List<RpcClientInterceptor> interceptors;

	private InterceptingProxy(ServiceProxy proxy, List<RpcClientInterceptor> interceptors) {
		this.proxy = proxy;
		this.interceptors = interceptors;
	}

	/** Returns the service proxy itself if the reference has no interceptors. */
	public static InvocationHandler around(ServiceProxy proxy, ClientOptions ofClient, ReferenceOptions ofReference) {
		List<RpcClientInterceptor> all = new ArrayList<>(ofClient.interceptors);
		Supplier<?> fallback = ofReference.fallback();
		if (fallback != null) {
			all.add(new FallbackInterceptor(fallback));
		}
		for (RpcClientInterceptor each : ofReference.interceptors()) {
			if (all.stream().noneMatch((other) -> other == each)) {
				all.add(each);
			}
		}
		InvocationHandler handler = all.isEmpty() ? proxy : new InterceptingProxy(proxy, List.copyOf(all));
		return MonoHandler.around(handler, proxy.router.binding().service().type());
	}

	/** Returns the handler of a reference, or null if the handler is another one. */
	public static @Nullable InterceptingProxy of(@Nullable InvocationHandler handler) {
		if (handler instanceof MonoHandler reactive) {
			return of(reactive.within());
		}
		return (handler instanceof ServiceProxy plain) ? new InterceptingProxy(plain, List.of())
				: (handler instanceof InterceptingProxy intercepted) ? intercepted : null;
	}

	public ServiceProxy proxy() {
		return this.proxy;
	}

	/** Returns the interceptors without a fallback, which would hide failures. */
	public List<RpcClientInterceptor> withoutFallback() {
		return this.interceptors.stream().filter((each) -> !(each instanceof FallbackInterceptor)).toList();
	}

	@Override
	public @Nullable Object invoke(Object self, Method called, @Nullable Object @Nullable [] arguments)
			throws Throwable {
		BoundMethod method = this.proxy.methods.get(called);
		if (method == null) {
			return this.proxy.invokeObjectMethod(self, called, arguments);
		}
		return new ClientInterceptorChain(this.proxy, method, (arguments != null) ? arguments : new Object[0],
				this.interceptors)
			.run();
	}

}
