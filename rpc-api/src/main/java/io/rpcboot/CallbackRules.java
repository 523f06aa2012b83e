package io.rpcboot;

import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;

import io.rpcboot.MethodDescriptor.Style;
import org.jspecify.annotations.Nullable;

/** Rules for parameters with {@link RpcCallback} and for their interfaces. */
final class CallbackRules {

	private CallbackRules() {
	}

	/** Returns the indexes of the parameters that are callbacks of the client. */
	static IntStream parameters(Method method) {
		return IntStream.range(0, method.getParameterCount())
			.filter((i) -> method.getParameters()[i].isAnnotationPresent(RpcCallback.class));
	}

	/**
	 * Checks the callbacks of a method.
	 * @param path service and signature, for messages
	 * @throws RpcConfigurationException if the method cannot have one, or its interface
	 * cannot be one
	 */
	static void check(String path, Method method, @Nullable RpcMethod policy, Style style) {
		int[] indexes = parameters(method).toArray();
		if (indexes.length == 0) {
			return;
		}
		if (style == Style.ONE_WAY) {
			throw new RpcConfigurationException(
					"%s is one-way and takes a callback, which lives until the call ends".formatted(path),
					"Remove oneWay = true.");
		}
		if (style == Style.STREAM || ServiceDescriptor.streamParameters(method).findAny().isPresent()) {
			throw new RpcConfigurationException(
					"%s has a stream and takes a callback (expected: one of them)".formatted(path),
					"Remove @RpcCallback and send what it tells as elements of a stream, or return one value.");
		}
		if (policy != null && (policy.hedged() || policy.bare())) {
			throw new RpcConfigurationException(policy.hedged()
					? "%s is hedged and takes a callback, which two calls would use".formatted(path)
					: "%s has bare = true and takes a callback, for which the messages need fields".formatted(path),
					"Remove %s = true.".formatted(policy.hedged() ? "hedged" : "bare"));
		}
		for (int each : indexes) {
			checkType("parameter %d of %s".formatted(each + 1, path), method.getParameterTypes()[each]);
		}
	}

	private static void checkType(String parameter, Class<?> type) {
		if (!type.isInterface() || type.isAnnotation()) {
			throw new RpcConfigurationException(
					"%s has @RpcCallback, and %s is %s (expected: an interface)".formatted(parameter,
							type.getTypeName(), type.isAnnotation() ? "an annotation" : "a class"),
					"Remove @RpcCallback to send a value, or declare the methods that the server calls in an interface.");
		}
		if (type.getTypeParameters().length > 0) {
			throw new RpcConfigurationException(
					"%s has @RpcCallback, and %s has type parameters (expected: an interface without)"
						.formatted(parameter, type.getTypeName()),
					"Declare an interface with the methods that the server calls, which may extend %s with types."
						.formatted(type.getSimpleName()));
		}
		for (Method each : type.getMethods()) {
			if (parameters(each).findAny().isPresent()) {
				throw new RpcConfigurationException(
						"%s.%s takes a callback, and is a method of a callback itself: %s".formatted(type.getTypeName(),
								each.getName(), parameter),
						"Take both callbacks as parameters of the method of the service.");
			}
		}
		Set<String> names = new HashSet<>();
		for (MethodDescriptor each : ServiceDescriptor.of(type).methods()) {
			checkMethod(each, parameter);
			if (!names.add(each.name())) {
				throw new RpcConfigurationException(
						"%s: two methods of a callback have the name %s (expected: different ones), see %s"
							.formatted(type.getTypeName(), each.name(), parameter),
						"Give one of them another name.");
			}
		}
	}

	private static void checkMethod(MethodDescriptor method, String parameter) {
		String why = "";
		if (method.style() == Style.ONE_WAY) {
			why = "is one-way (expected: a method that waits)";
		}
		else if (method.isStreaming()) {
			why = "has a stream (expected: single values)";
		}
		else if (method.contextParameter() >= 0) {
			why = "takes an RpcContext, which callers of a callback do not have";
		}
		else if (method.method().getTypeParameters().length > 0) {
			why = "has type parameters (expected: a method without)";
		}
		if (!why.isEmpty()) {
			throw new RpcConfigurationException(
					"%s is a method of a callback and %s, see %s".formatted(method, why, parameter),
					(method.style() == Style.ONE_WAY)
							? "Remove oneWay = true, or let it return a CompletableFuture<Void>."
							: "Remove it from the callback.");
		}
	}

}
