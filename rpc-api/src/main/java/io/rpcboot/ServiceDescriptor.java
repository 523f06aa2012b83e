package io.rpcboot;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BinaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * Contract of a service: an interface with an identity, and its methods in the order of
 * their signatures, so that a number on the wire identifies a method. A default method is
 * one of them only with {@link RpcMethod}; see {@link #isLocal}.
 *
 * <pre>{@code
 * RpcServer.builder()
 *     .service(ServiceDescriptor.of(UserService.class, "2", ""), () -> users)
 *     .start();
 * }</pre>
 *
 * @param id the identity
 * @param type the interface
 * @param methods the methods; the index is the number
 * @since 0.1.0
 */
public record ServiceDescriptor(ServiceId id, Class<?> type, List<MethodDescriptor> methods) {

	/** Name of a type of a higher package, which this one must not import. */
	private static final String CONTEXT = "io.rpcboot.context.RpcContext";

	/** Name of the last parameter of a suspend function. */
	private static final String CONTINUATION = "kotlin.coroutines.Continuation";

	/** Streams of values, by name: some are of optional libraries. */
	private static final String MONO = "reactor.core.publisher.Mono";

	private static final Set<String> STREAMS = Set.of("java.util.concurrent.Flow$Publisher",
			"reactor.core.publisher.Flux", RpcStream.class.getName(), "java.util.stream.Stream", "java.util.Iterator",
			"java.io.InputStream");

	private static final Pattern GRPC_NAME = Pattern.compile("[A-Za-z_]\\w*(\\.[A-Za-z_]\\w*)*");

	private static final Pattern SIMPLE_DURATION = Pattern.compile("(\\d+)(us|ms|s|m|h)");

	/**
	 * Describes an interface without version and group.
	 * @param type the interface
	 * @return the descriptor
	 * @throws RpcConfigurationException if the interface cannot be a contract
	 */
	public static ServiceDescriptor of(Class<?> type) {
		return of(type, "", "");
	}

	/**
	 * Describes an interface.
	 * @param type the interface
	 * @param version version, empty for none
	 * @param group group, empty for none
	 * @return the descriptor
	 * @throws RpcConfigurationException if the interface cannot be a contract
	 */
	public static ServiceDescriptor of(Class<?> type, String version, String group) {
		return of(type, version, group, (method, text) -> text);
	}

	/**
	 * Describes an interface with placeholders in its annotations.
	 * @param type the interface
	 * @param version version, empty for none
	 * @param group group, empty for none
	 * @param values returns the value of {@link RpcMethod#timeout()}. The arguments are
	 * the method, for messages, and the text of the annotation
	 * @return the descriptor
	 * @throws RpcConfigurationException if the interface cannot be a contract
	 */
	public static ServiceDescriptor of(Class<?> type, String version, String group, BinaryOperator<String> values) {
		checkInterface(type);
		ServiceId id = new ServiceId(type.getName(), version, group);
		Map<String, Method> bySignature = new TreeMap<>();
		for (Method method : type.getMethods()) {
			checkAlias(id, method);
			if (!Modifier.isStatic(method.getModifiers()) && !method.isBridge() && !isLocal(method)) {
				checkSuspend(id, method);
				checkContext(id, method, bySignature.get(signature(method)));
				bySignature.merge(signature(method), method, ServiceDescriptor::moreSpecific);
			}
		}
		if (bySignature.isEmpty()) {
			throw new RpcConfigurationException("Interface %s has no methods to call".formatted(type.getName()),
					"Declare at least one method without a body, or put @RpcMethod on a default method.");
		}
		List<MethodDescriptor> methods = new ArrayList<>();
		for (Method method : bySignature.values()) {
			methods.add(describe(id, methods.size(), method, values));
		}
		return new ServiceDescriptor(id, type, List.copyOf(methods));
	}

	/**
	 * Returns true if a method of an interface is executed at the caller, on the proxy,
	 * and is no part of the contract: a default method without {@link RpcMethod}, or a
	 * method of {@link Object} that the interface declares again. A proxy around a
	 * reference invokes such a method on itself.
	 * @param method a method of the interface of a service
	 * @return true if no call of the method reaches a server
	 */
	public static boolean isLocal(Method method) {
		return method.isDefault() ? !method.isAnnotationPresent(RpcMethod.class) : isOfObject(method);
	}

	private static boolean isOfObject(Method method) {
		return switch (method.getName()) {
			case "hashCode", "toString" -> method.getParameterCount() == 0;
			case "equals" -> Arrays.equals(method.getParameterTypes(), new Class<?>[] { Object.class });
			default -> false;
		};
	}

	private static void checkAlias(ServiceId id, Method method) {
		if (isLocal(method) && !method.isBridge() && method.isAnnotationPresent(RpcAlias.class)) {
			throw new RpcConfigurationException(
					"%s.%s has @RpcAlias and is executed at the caller, because it is a default method without @RpcMethod"
						.formatted(id, signature(method)),
					"Add @RpcMethod to let a server execute it, or remove @RpcAlias.");
		}
	}

	private static void checkInterface(Class<?> type) {
		if (!type.isInterface() || type.isAnnotation()) {
			throw new RpcConfigurationException(
					"%s is %s (expected: an interface)".formatted(type.getName(),
							type.isAnnotation() ? "an annotation" : "a class"),
					"Name the interface that the implementation implements.");
		}
		if (!Modifier.isPublic(type.getModifiers())) {
			throw new RpcConfigurationException(
					"Interface %s cannot be called from outside its package, because it is not public"
						.formatted(type.getName()),
					"Make %s public.".formatted(type.getName()));
		}
		if (!type.getModule().isExported(type.getPackageName(), ServiceDescriptor.class.getModule())) {
			throw new RpcConfigurationException(
					"Interface %s is in package %s, which module %s does not export".formatted(type.getName(),
							type.getPackageName(), type.getModule().getName()),
					"Add 'exports %s;' to the module's module-info.java.".formatted(type.getPackageName()));
		}
		RpcContract contract = type.getAnnotation(RpcContract.class);
		if (contract != null && !GRPC_NAME.matcher(contract.name()).matches()) {
			throw new RpcConfigurationException(
					"Interface %s has name = \"%s\" (expected: letters, digits and '_' with dots between, such as acme.users.v1.UserService)"
						.formatted(type.getName(), contract.name()),
					"Correct the name in @RpcContract.");
		}
	}

	/** Rejects a suspend function of Kotlin, whose last parameter is its continuation. */
	private static void checkSuspend(ServiceId id, Method method) {
		Type[] parameters = method.getGenericParameterTypes();
		Class<?>[] types = method.getParameterTypes();
		int last = types.length - 1;
		if (last < 0 || !types[last].getName().equals(CONTINUATION)) {
			return;
		}
		Type result = (parameters[last] instanceof ParameterizedType continuation)
				? continuation.getActualTypeArguments()[0] : Object.class;
		String value = ((result instanceof WildcardType wildcard && wildcard.getLowerBounds().length > 0)
				? wildcard.getLowerBounds()[0] : result)
			.getTypeName();
		throw new RpcConfigurationException(
				"%s.%s is a suspend function, which cannot be called remotely".formatted(id, method.getName()),
				"Declare 'fun %s(...): CompletableFuture<%s>' without suspend; callers await it by await() of kotlinx.coroutines."
					.formatted(method.getName(), value.replaceAll("[\\w.]+\\.(?=\\w)", "")));
	}

	private static void checkContext(ServiceId id, Method method, @Nullable Method other) {
		long contexts = contextParameters(method).count();
		if (contexts > 1) {
			throw new RpcConfigurationException(
					"%s.%s has %d parameters for the context of the call (expected: at most one)".formatted(id,
							signature(method), contexts),
					"Leave one RpcContext.");
		}
		if (other != null && other.getParameterCount() != method.getParameterCount()) {
			throw new RpcConfigurationException(
					"%s.%s is declared with and without RpcContext, which callers cannot tell apart".formatted(id,
							signature(method)),
					"Leave one of the two methods.");
		}
	}

	/** Returns the indexes of the parameters that are no part of the contract. */
	static IntStream contextParameters(Method method) {
		Class<?>[] types = method.getParameterTypes();
		return IntStream.range(0, types.length).filter((i) -> types[i].getName().equals(CONTEXT));
	}

	/** Returns the indexes of the parameters that are streams of values. */
	static IntStream streamParameters(Method method) {
		Class<?>[] types = method.getParameterTypes();
		return IntStream.range(0, types.length).filter((i) -> STREAMS.contains(types[i].getName()));
	}

	private static Method moreSpecific(Method first, Method second) {
		return first.getReturnType().isAssignableFrom(second.getReturnType()) ? second : first;
	}

	private static MethodDescriptor describe(ServiceId id, int number, Method method, BinaryOperator<String> values) {
		RpcMethod policy = method.getAnnotation(RpcMethod.class);
		if (policy != null && !policy.name().isEmpty() && !policy.name().matches("[A-Za-z][A-Za-z0-9_]*")) {
			throw new RpcConfigurationException(
					"%s.%s has name = \"%s\" (expected: letters, digits and '_', the first a letter)".formatted(id,
							signature(method), policy.name()),
					"Correct the name in @RpcMethod.");
		}
		Class<?> result = method.getReturnType();
		MethodDescriptor.Style style = MethodDescriptor.Style.BLOCKING;
		if (policy != null && policy.oneWay()) {
			if (result != void.class || method.getExceptionTypes().length > 0) {
				throw new RpcConfigurationException(
						"%s.%s is one-way but returns a value or declares an exception".formatted(id,
								signature(method)),
						"Let it return void without a throws clause, or remove oneWay = true.");
			}
			style = MethodDescriptor.Style.ONE_WAY;
		}
		else if (result == CompletableFuture.class || result == CompletionStage.class
				|| result.getName().equals(MONO)) {
			style = MethodDescriptor.Style.FUTURE;
		}
		else if (STREAMS.contains(result.getName())) {
			style = MethodDescriptor.Style.STREAM;
		}
		checkStreams(id, method, policy, style);
		CallbackRules.check(id + "." + signature(method), method, policy, style);
		Duration timeout = (policy == null || policy.timeout().isEmpty()) ? null
				: timeout(id, method, values.apply(id + "." + signature(method), policy.timeout()));
		return new MethodDescriptor(id, number, method, style, List.of(method.getExceptionTypes()), timeout,
				policy != null && (policy.idempotent() || policy.safe()));
	}

	private static void checkStreams(ServiceId id, Method method, @Nullable RpcMethod policy,
			MethodDescriptor.Style style) {
		int[] streams = streamParameters(method).toArray();
		if (streams.length == 0 && style != MethodDescriptor.Style.STREAM) {
			return;
		}
		String path = id + "." + signature(method);
		if (policy != null && policy.hedged()) {
			throw new RpcConfigurationException("%s is hedged and %s a stream, of which there would be two"
				.formatted(path, (streams.length > 0) ? "takes" : "returns"), "Remove hedged = true.");
		}
		if (streams.length > 1) {
			throw new RpcConfigurationException(
					"%s takes %d streams (expected: at most one)".formatted(path, streams.length),
					"Leave one, with elements of a sealed interface that has the kinds of both.");
		}
		if (streams.length == 1 && hasValuesBehind(method, streams[0])) {
			throw new RpcConfigurationException(
					"%s takes a stream as parameter %d (expected: the last one, because values before it are sent first)"
						.formatted(path, streams[0] + 1),
					"Move the stream behind the other parameters.");
		}
		if (streams.length == 1 && style == MethodDescriptor.Style.ONE_WAY) {
			throw new RpcConfigurationException("%s is one-way and takes a stream, which needs an end".formatted(path),
					"Remove oneWay = true, or take a java.util.List.");
		}
	}

	private static boolean hasValuesBehind(Method method, int index) {
		long contexts = contextParameters(method).filter((i) -> i > index).count();
		return index + contexts < method.getParameterCount() - 1;
	}

	private static @Nullable Duration timeout(ServiceId id, Method method, String text) {
		if (text.isEmpty()) {
			return null;
		}
		Duration timeout = parseDuration(text);
		if (timeout == null || timeout.isZero() || timeout.isNegative()) {
			throw new RpcConfigurationException(
					"%s.%s has timeout = \"%s\" (expected: a positive duration such as 500ms, 2s or PT2S)".formatted(id,
							signature(method), text),
					"Correct the timeout in @RpcMethod.");
		}
		return timeout;
	}

	private static @Nullable Duration parseDuration(String text) {
		Matcher simple = SIMPLE_DURATION.matcher(text.strip().toLowerCase(Locale.ROOT));
		try {
			if (!simple.matches()) {
				return Duration.parse(text.strip());
			}
			long amount = Long.parseLong(simple.group(1));
			return switch (simple.group(2)) {
				case "us" -> Duration.ofNanos(Math.multiplyExact(amount, 1000L));
				case "ms" -> Duration.ofMillis(amount);
				case "s" -> Duration.ofSeconds(amount);
				case "m" -> Duration.ofMinutes(amount);
				default -> Duration.ofHours(amount);
			};
		}
		catch (DateTimeParseException | ArithmeticException | NumberFormatException ex) {
			return null;
		}
	}

	private static String signature(Method method) {
		return signature(method.getName(), method);
	}

	/**
	 * Concatenates without a stream, because documents contain thousands of signatures.
	 */
	static String signature(String name, Method method) {
		StringJoiner signature = new StringJoiner(",", name + "(", ")");
		for (Class<?> type : method.getParameterTypes()) {
			if (!type.getName().equals(CONTEXT)) {
				signature.add(type.getTypeName());
			}
		}
		return signature.toString();
	}

}
