package io.rpcboot.internal.client.call;

import java.lang.annotation.Annotation;
import java.util.Arrays;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcRouteKey;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.resilience.RoutingOptions;
import org.jspecify.annotations.Nullable;

/** Routing keys, which send calls to the same instance: their annotation and hash. */
public final class RoutingKeys {

	/** Index of the key argument of a method without a key. */
	public static final int NONE = -1;

	private RoutingKeys() {
	}

	/**
	 * Returns the index of the argument that is the key; {@link #NONE} if none is.
	 * @throws RpcConfigurationException if two are, or if its type has no
	 * {@code toString()}
	 */
	public static int of(MethodDescriptor method) {
		int found = NONE;
		Class<?>[] types = method.method().getParameterTypes();
		Annotation[][] annotations = method.method().getParameterAnnotations();
		for (int i = 0; i < types.length; i++) {
			if (Arrays.stream(annotations[i]).noneMatch(RpcRouteKey.class::isInstance)) {
				continue;
			}
			if (found != NONE) {
				throw new RpcConfigurationException(
						"%s has @RpcRouteKey at parameters %d and %d (expected: one parameter)".formatted(method,
								found + 1, i + 1),
						"Remove one of them, or pass a record of both values as the parameter.");
			}
			if (!hasText(types[i])) {
				throw new RpcConfigurationException(
						"%s has @RpcRouteKey at parameter %d of type %s, which has no toString() of its own "
							.formatted(method, i + 1, types[i].getTypeName())
								+ "(expected: a string, a number, an enum, a record, a UUID or the like)",
						"Put @RpcRouteKey on a parameter whose text is the key, or set the attachment '%s' of the call."
							.formatted(RoutingOptions.KEY_ATTACHMENT));
			}
			found = i;
		}
		return found;
	}

	private static boolean hasText(Class<?> type) {
		try {
			return type.isPrimitive() || type == CharSequence.class
					|| (!type.isInterface() && type.getMethod("toString").getDeclaringClass() != Object.class);
		}
		catch (NoSuchMethodException ex) {
			return false;
		}
	}

	/** Returns the hash of a key; 0 only without a key. */
	public static int hash(@Nullable Object key) {
		if (key == null) {
			return 0;
		}
		int hash = key.toString().hashCode();
		return (hash != 0) ? hash : 1;
	}

}
