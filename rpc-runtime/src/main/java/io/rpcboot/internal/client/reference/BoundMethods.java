package io.rpcboot.internal.client.reference;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.Side;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.context.RpcContext;
import io.rpcboot.internal.call.ContextParameterCodec;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.call.RoutingKeys;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.retry.HedgeTimer;
import io.rpcboot.internal.client.runtime.ReferenceDefaults;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.Protocol;

/** Binds the methods of a service to the options of a reference. */
public final class BoundMethods {

	private BoundMethods() {
	}

	/**
	 * Returns the methods in the order of the service.
	 * @param plain returns a method with any options, which are replaced
	 * @throws io.rpcboot.transport.InvalidOptionException if an option names a method
	 * that the service does not have, or hedges one that is not idempotent
	 */
	public static List<BoundMethod> of(ServiceDescriptor service, ReferenceOptions options, ReferenceDefaults defaults,
			Function<MethodDescriptor, BoundMethod> plain) {
		requireKnown(service, options);
		return service.methods()
			.stream()
			.map((method) -> configure(plain.apply(method),
					method.withIdempotent(options.idempotence().getOrDefault(method.name(), method.isIdempotent())),
					options, defaults))
			.toList();
	}

	/**
	 * Returns a method without retries, hedging and timeout.
	 */
	static BoundMethod plain(MethodDescriptor method, ServiceBinding binding, ReferenceOptions options,
			RpcMetrics metrics) {
		return new BoundMethod(method,
				ContextParameterCodec.of(method, binding.codec().method(method.number()), RpcContext::current),
				metrics.isNone() ? null
						: metrics.calls(Side.CLIENT, method, Protocol.format(Set.of(binding.protocol()))),
				0, Long.MAX_VALUE, binding.firstNumber() + method.number(),
				options.isDetached() || method.style() == Style.ONE_WAY, false, false, RoutingKeys.of(method));
	}

	private static void requireKnown(ServiceDescriptor service, ReferenceOptions options) {
		Set<String> names = new TreeSet<>(); // those of the interface: the service may be
												// a
												// part of it
		for (Method each : service.type().getMethods()) {
			if (!Modifier.isStatic(each.getModifiers()) && !ServiceDescriptor.isLocal(each)) {
				names.add(each.getName());
			}
		}
		Stream.concat(options.methodTimeouts().keySet().stream(), options.idempotence().keySet().stream())
			.forEach((name) -> Options.require(names.contains(name), "methods", "'" + name + "'",
					"a method of %s: %s".formatted(service.type().getName(), String.join(", ", names))));
	}

	private static BoundMethod configure(BoundMethod plain, MethodDescriptor method, ReferenceOptions options,
			ReferenceDefaults defaults) {
		ResilienceOptions resilience = defaults.resilienceOf(options);
		Duration own = options.methodTimeouts().getOrDefault(method.name(), method.timeout());
		boolean oneWay = method.style() == Style.ONE_WAY;
		boolean isStream = method.isStreaming();
		boolean repeatable = method.isIdempotent() && !oneWay;
		boolean hedged = HedgeTimer.options(method, resilience) != null;
		Options.require(!hedged || !isStream, "methods.%s.hedge-after".formatted(method.name()), method.signature(),
				"no hedging, because there would be two streams of the method; remove hedged or hedge-after");
		Options.require(!hedged || repeatable, "methods.%s.hedge-after".formatted(method
			.name()), method.signature(), oneWay
					? "no hedging, because a one-way method has no reply; remove hedged or hedge-after"
					: "idempotent, because a hedged method may run twice; add idempotent = true to its @RpcMethod or set methods.%s.idempotent, or remove hedged or hedge-after"
						.formatted(method.name()));
		long timeout = Options.nanos((own != null) ? own : defaults.timeoutOf(options));
		long whole = (isStream && own != null) ? timeout : Long.MAX_VALUE;
		return plain.with(method, timeout, whole, repeatable && resilience.retry().maxAttempts() > 1, hedged);
	}

}
