package io.rpcboot.internal.server.runtime;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.server.scheduling.ServerMethod;
import io.rpcboot.metrics.CallRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Counts and logs exceptions that implementations throw and interfaces do not declare.
 * The rate limit of the log is by method and exception class, so that a frequent
 * exception does not hide others. Any thread.
 */
public final class UnexpectedExceptionLog {

	/** Exception classes of each method with a rate limit of their own. */
	private static final int MAX_CLASSES = 8;

	/** Maximum length of a trace id in characters. */
	private static final int MAX_TRACE_LENGTH = 64;

	private static final String REASON = "Undeclared exception";

	private final RateLimitedLogger log;

	private final Map<MethodDescriptor, Set<String>> classes = new ConcurrentHashMap<>();

	UnexpectedExceptionLog(RateLimitedLogger log) {
		this.log = log;
	}

	/**
	 * Counts and logs an exception of an implementation.
	 * @param thrown null if it gave no exception
	 * @param caller application and address of the client, empty if unknown
	 * @param traceId trace of the call, null without one
	 */
	public void add(Invocation invocation, @Nullable Throwable thrown, String caller, @Nullable String traceId) {
		CallRecorder recorder = invocation.recorder;
		if (recorder != null) {
			recorder.threw(type(thrown));
		}
		log(invocation.method, thrown, caller, traceId);
	}

	/** Logs an exception of other code of the application; it is not counted. */
	public void log(ServerMethod method, @Nullable Throwable thrown, String caller, @Nullable String traceId) {
		String type = type(thrown);
		String trace = (caller.isEmpty() ? "" : " called by " + caller)
				+ ((traceId != null) ? " in trace " + printable(traceId) : "");
		Set<String> known = this.classes.computeIfAbsent(method.descriptor, (any) -> ConcurrentHashMap.newKeySet());
		if (known.contains(type) || (known.size() < MAX_CLASSES && known.add(type))) {
			this.log.warn(REASON, new Kind(method.descriptor, type), () -> method.descriptor + trace, thrown);
			return;
		}
		this.log.warn(REASON, method.descriptor,
				() -> method.descriptor + trace + ", one of more than " + MAX_CLASSES + " classes", thrown);
	}

	/** Returns a trace id that is safe to log: the peer may have sent it. */
	private static String printable(String traceId) {
		String kept = (traceId.length() > MAX_TRACE_LENGTH) ? traceId.substring(0, MAX_TRACE_LENGTH) : traceId;
		return kept.replaceAll("[^\\x21-\\x7e]", "?");
	}

	private static String type(@Nullable Throwable thrown) {
		return (thrown != null) ? thrown.getClass().getName() : "null";
	}

	/** Key of the rate limit. */
	private record Kind(MethodDescriptor method, String type) {
	}

}
