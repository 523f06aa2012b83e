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
 * Copies attachments of a call, and the name of its caller, to the MDC of the threads
 * that run its code, for the time of the call. Values come from callers: they are
 * shortened, and invisible characters are replaced.
 *
 * @since 0.1.0
 */
public final class LogAttachmentsInterceptor implements RpcServerInterceptor {

	/** Key of the name that the caller has proved. */
	public static final String CALLER = "rpc.caller";

	private final List<String> names;

	private final boolean withCaller;

	/**
	 * Creates an interceptor for attachments alone.
	 * @param names names of attachments, and keys of the MDC as written here
	 */
	public LogAttachmentsInterceptor(Collection<String> names) {
		this(names, false);
	}

	/**
	 * Creates an interceptor.
	 * @param names names of attachments, and keys of the MDC as written here
	 * @param withCaller true to add the name that the caller has proved, with the key
	 * {@value #CALLER}
	 */
	public LogAttachmentsInterceptor(Collection<String> names, boolean withCaller) {
		for (String name : names) {
			Options.require(Attachments.isName(name.toLowerCase(Locale.ROOT)), "log-attachments", "'" + name + "'",
					"names of attachments");
		}
		this.names = List.copyOf(names);
		this.withCaller = withCaller;
	}

	@Override
	public Position position() {
		return Position.BEFORE_ARGUMENTS;
	}

	@Override
	public @Nullable Object intercept(ServerInvocation call) throws Throwable {
		Map<String, String> values = values(call);
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

	private Map<String, String> values(ServerInvocation call) {
		Attachments attachments = call.attachments();
		if (attachments.isEmpty() && !this.withCaller) {
			return Map.of();
		}
		Map<String, String> values = new LinkedHashMap<>();
		if (this.withCaller && call.context().caller().isAuthenticated()) {
			values.put(CALLER, LogText.of(call.context().caller().getName()));
		}
		for (String name : this.names) {
			String value = attachments.get(name);
			if (value != null) {
				values.put(name, LogText.of(value));
			}
		}
		return values;
	}

}
