package io.rpcboot.internal.client.reference;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
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
import io.rpcboot.internal.client.runtime.ClientOptions;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.transport.Options;

/** Binds the methods of a service to the options of a reference. */
public final class BoundMethods {

	private BoundMethods() {
	}

	/**
	 * Returns the methods in the order of the service.
	 * @throws io.rpcboot.transport.InvalidOptionException if an option names a method
	 * that the service does not have, or hedges one that is not idempotent
	 */
	public static List<BoundMethod> of(ServiceBinding binding, ReferenceOptions options, ClientResources client) {
		requireKnown(binding.service(), options);
		return binding.service()
			.methods()
			.stream()
			.map((method) -> bind(
					method.withIdempotent(options.idempotence().getOrDefault(method.name(), method.isIdempotent())),
					binding, options, client))
			.toList();
	}

	private static void requireKnown(ServiceDescriptor service, ReferenceOptions options) {
		Set<String> names = service.methods()
			.stream()
			.map(MethodDescriptor::name)
			.collect(Collectors.toCollection(TreeSet::new));
		Stream.concat(options.methodTimeouts().keySet().stream(), options.idempotence().keySet().stream())
			.forEach((name) -> Options.require(names.contains(name), "methods", "'" + name + "'",
					"a method of %s: %s".formatted(service.type().getName(), String.join(", ", names))));
	}

	private static BoundMethod bind(MethodDescriptor method, ServiceBinding binding, ReferenceOptions options,
			ClientResources client) {
		ClientOptions defaults = client.options();
		ResilienceOptions resilience = defaults.resilienceOf(options);
		Duration ofReference = (options.timeout() != null) ? options.timeout() : defaults.timeout;
		Duration own = options.methodTimeouts().getOrDefault(method.name(), method.timeout());
		boolean oneWay = method.style() == Style.ONE_WAY;
		boolean repeatable = method.isIdempotent() && !oneWay;
		boolean hedged = HedgeTimer.options(method, resilience) != null;
		Options.require(!hedged || repeatable, "methods.%s.hedge-after".formatted(method
			.name()), method.signature(), oneWay
					? "no hedging, because a one-way method has no reply; remove hedged or hedge-after"
					: "idempotent, because a hedged method may run twice; add idempotent = true to its @RpcMethod or set methods.%s.idempotent, or remove hedged or hedge-after"
						.formatted(method.name()));
		return new BoundMethod(method,
				ContextParameterCodec.of(method, binding.codec().method(method.number()), RpcContext::current),
				defaults.metrics.isNone() ? null : defaults.metrics.calls(Side.CLIENT, method),
				Options.nanos((own != null) ? own : ofReference), binding.firstNumber() + method.number(),
				options.isDetached() || oneWay, repeatable && resilience.retry().maxAttempts() > 1, hedged,
				RoutingKeys.of(method));
	}

}
