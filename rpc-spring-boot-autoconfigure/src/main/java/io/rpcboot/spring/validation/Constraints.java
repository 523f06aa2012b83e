package io.rpcboot.spring.validation;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.ServerInvocation;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validator;
import jakarta.validation.metadata.BeanDescriptor;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.validation.annotation.Validated;

/**
 * Interceptor that validates the arguments of a service by the constraints of its
 * interface.
 */
final class Constraints implements RpcServerInterceptor {

	/** Name of the detail with a line for each violation. */
	static final String DETAIL = "violations";

	/** Most characters of listed violations, so that the message is not cut. */
	private static final int MAX_NAMED = 800;

	private static final int MAX_LOOKED_AT = 1000;

	/** Most characters of a violation, because its path may contain a key of a map. */
	private static final int MAX_LINE = 200;

	private final Validator validator;

	/** Proxy in place of the implementation, whose class may have further constraints. */
	private final Object target;

	/** Groups to validate, for methods with constraints. */
	private final Map<Method, Class<?>[]> constrained;

	private Constraints(Validator validator, Class<?> type, Map<Method, Class<?>[]> constrained) {
		this.validator = validator;
		this.constrained = constrained;
		this.target = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (self, method, given) -> {
			throw new UnsupportedOperationException(method.toString());
		});
	}

	/**
	 * Reads the constraints of an interface.
	 * @return null if it has none
	 * @throws jakarta.validation.ValidationException if constraints contradict each other
	 */
	static @Nullable Constraints of(ServiceDescriptor service, Validator validator) {
		BeanDescriptor bean = validator.getConstraintsForClass(service.type());
		Map<Method, Class<?>[]> constrained = new HashMap<>();
		for (MethodDescriptor each : service.methods()) {
			Method method = each.method();
			var found = bean.getConstraintsForMethod(method.getName(), method.getParameterTypes());
			if (found != null && found.hasConstrainedParameters()) {
				constrained.put(method, groups(service.type(), method));
			}
		}
		return constrained.isEmpty() ? null : new Constraints(validator, service.type(), constrained);
	}

	private static Class<?>[] groups(Class<?> type, Method method) {
		Validated ofMethod = AnnotatedElementUtils.findMergedAnnotation(method, Validated.class);
		Validated any = (ofMethod != null) ? ofMethod
				: AnnotatedElementUtils.findMergedAnnotation(type, Validated.class);
		return (any != null) ? any.value() : new Class<?>[0];
	}

	@Override
	public @Nullable Object intercept(ServerInvocation call) throws Throwable {
		Class<?>[] groups = this.constrained.get(call.method().method());
		if (groups != null) {
			Set<ConstraintViolation<Object>> violations = this.validator.forExecutables()
				.validateParameters(this.target, call.method().method(), call.arguments(), groups);
			if (!violations.isEmpty()) {
				throw refusal(violations);
			}
		}
		return call.proceed();
	}

	private static RpcException refusal(Set<ConstraintViolation<Object>> violations) {
		List<String> lines = new ArrayList<>();
		int length = 0;
		for (String line : violations.stream().limit(MAX_LOOKED_AT).map(Constraints::line).sorted().toList()) {
			length += line.length() + 1;
			if (length > MAX_NAMED && !lines.isEmpty()) {
				break;
			}
			lines.add(line);
		}
		return new RpcException(RpcStatus.INVALID_ARGUMENT,
				"%s: %s%s".formatted(
						(violations.size() == 1) ? "invalid argument" : violations.size() + " invalid arguments",
						String.join("; ", lines), (lines.size() < violations.size()) ? "; ..." : ""),
				false, null, null, Map.of(DETAIL, String.join("\n", lines)));
	}

	/** Returns the text of a violation, without the method at the begin of its path. */
	private static String line(ConstraintViolation<?> violation) {
		String path = violation.getPropertyPath().toString();
		String line = path.substring(path.indexOf('.') + 1) + ": " + violation.getMessage();
		String cut = (line.length() > MAX_LINE) ? line.substring(0, MAX_LINE) + "..." : line;
		// replaces half a surrogate pair, which cannot be encoded
		return new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
	}

}
