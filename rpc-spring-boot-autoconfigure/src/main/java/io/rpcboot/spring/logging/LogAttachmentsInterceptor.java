package io.rpcboot.spring.logging;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.rpcboot.context.Attachments;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.interceptor.ThreadScope;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * Copies attachments of a call to the MDC of the threads that run its code, for the time
 * of the call. Values come from callers: they are shortened, and invisible characters are
 * replaced.
 *
 * @since 0.1.0
 */
public final class LogAttachmentsInterceptor implements RpcServerInterceptor {

	private final List<String> names;

	/**
	 * Creates an interceptor.
	 * @param names names of attachments, and keys of the MDC as written here
	 */
	public LogAttachmentsInterceptor(Collection<String> names) {
		for (String name : names) {
			Options.require(Attachments.isName(name.toLowerCase(Locale.ROOT)), "log-attachments", "'" + name + "'",
					"names of attachments");
		}
		this.names = List.copyOf(names);
	}

	@Override
	public Position position() {
		return Position.BEFORE_ARGUMENTS;
	}

	@Override
	public @Nullable Object intercept(ServerInvocation call) throws Throwable {
		Map<String, String> values = values(call.attachments());
		if (values.isEmpty()) {
			return call.proceed();
		}
		ThreadScope scope = () -> {
			Map<String, String> before = LogEntries.current();
			LogEntries.set(values);
			return () -> LogEntries.set(before);
		};
		call.addScope(scope);
		Runnable close = scope.open();
		try {
			return call.proceed();
		}
		finally {
			close.run();
		}
	}

	private Map<String, String> values(Attachments attachments) {
		if (attachments.isEmpty()) {
			return Map.of();
		}
		Map<String, String> values = new LinkedHashMap<>();
		for (String name : this.names) {
			String value = attachments.get(name);
			if (value != null) {
				values.put(name, LogText.of(value));
			}
		}
		return values;
	}

}
