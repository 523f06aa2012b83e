package io.rpcboot.internal.client.reference;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.internal.client.call.CalledMethod;
import io.rpcboot.internal.client.runtime.ClientOptions;
import org.jspecify.annotations.Nullable;

/**
 * What stands behind the interface of a reference whose calls go through interceptors.
 * Stands before service proxy.
 */
public final class InterceptedProxy implements InvocationHandler {

	private final ServiceProxy proxy;

	private final List<RpcClientInterceptor> interceptors;

	private InterceptedProxy(ServiceProxy proxy, List<RpcClientInterceptor> interceptors) {
		this.proxy = proxy;
		this.interceptors = interceptors;
	}

	/** The proxy itself if nothing stands around its calls. */
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
		return all.isEmpty() ? proxy : new InterceptedProxy(proxy, List.copyOf(all));
	}

	/** What stands behind a proxy of a reference; null if the handler is of another. */
	public static @Nullable InterceptedProxy of(@Nullable InvocationHandler handler) {
		return (handler instanceof ServiceProxy plain) ? new InterceptedProxy(plain, List.of())
				: (handler instanceof InterceptedProxy intercepted) ? intercepted : null;
	}

	public ServiceProxy proxy() {
		return this.proxy;
	}

	/** Those that are told the truth of each instance. */
	public List<RpcClientInterceptor> withoutFallback() {
		return this.interceptors.stream().filter((each) -> !(each instanceof FallbackInterceptor)).toList();
	}

	@Override
	public @Nullable Object invoke(Object self, Method called, @Nullable Object @Nullable [] arguments)
			throws Throwable {
		CalledMethod method = this.proxy.methods.get(called);
		if (method == null) {
			return this.proxy.invokeObjectMethod(self, called, arguments);
		}
		return new InterceptedCall(this.proxy, method, (arguments != null) ? arguments : new Object[0],
				this.interceptors)
			.run();
	}

}
