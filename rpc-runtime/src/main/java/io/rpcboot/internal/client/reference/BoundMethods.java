package io.rpcboot.internal.client.reference;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.MethodDescriptor.Style;
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

/** The methods of a service as one reference calls them. */
public final class BoundMethods {

	private BoundMethods() {
	}

	public static List<BoundMethod> of(ServiceBinding binding, ReferenceOptions options, ClientResources client) {
		ClientOptions ofClient = client.options();
		Duration timeout = (options.timeout() != null) ? options.timeout() : ofClient.timeout;
		ResilienceOptions resilience = ofClient.resilienceOf(options);
		boolean repeats = resilience.retry().maxAttempts() > 1;
		List<BoundMethod> result = new ArrayList<>();
		for (MethodDescriptor method : ReferenceMethods.of(binding.service(), options)) {
			Duration own = options.methodTimeouts().getOrDefault(method.name(), method.timeout());
			Duration allowed = (own != null) ? own : timeout;
			result.add(new BoundMethod(method,
					ContextParameterCodec.of(method, binding.codec().method(method.number()), RpcContext::current),
					ofClient.metrics.isNone() ? null : ofClient.metrics.calls(Side.CLIENT, method),
					Options.nanos(allowed), binding.firstNumber() + method.number(),
					options.isDetached() || method.style() == Style.ONE_WAY, repeats && isRepeatable(method),
					isHedged(method, resilience), RoutingKeys.of(method)));
		}
		return result;
	}

	private static boolean isHedged(MethodDescriptor method, ResilienceOptions resilience) {
		boolean hedged = HedgeTimer.options(method, resilience) != null;
		Options.require(!hedged || isRepeatable(method), "methods.%s.hedge-after".formatted(method.name()),
				method.signature(), "a method that is idempotent (@RpcMethod or methods.%s.idempotent) and not one-way"
					.formatted(method.name()));
		return hedged;
	}

	private static boolean isRepeatable(MethodDescriptor method) {
		return method.isIdempotent() && method.style() != Style.ONE_WAY;
	}

}
