package io.rpcboot.internal.server.runtime;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.server.scheduling.ServerMethod;
import io.rpcboot.metrics.CallRecorder;
import org.jspecify.annotations.Nullable;

/**
 * What implementations throw and their interfaces do not declare. It is counted, and
 * logged by method and class, so that a failure that comes often hides no other. Any
 * thread.
 */
public final class UnexpectedExceptionLog {

	/** Of each method; further classes share a line. */
	private static final int MOST_CLASSES = 8;

	/** In characters, as notes of calls have it. */
	private static final int MOST_OF_TRACE = 64;

	private static final String REASON = "Undeclared exception";

	private final RateLimitedLogger log;

	private final Map<MethodDescriptor, Set<String>> classes = new ConcurrentHashMap<>();

	UnexpectedExceptionLog(RateLimitedLogger log) {
		this.log = log;
	}

	/**
	 * An implementation threw.
	 * @param thrown null if it gave no exception at all
	 * @param traceId to which trace the call belongs, null for none
	 */
	public void add(ServerMethod method, @Nullable Throwable thrown, @Nullable String traceId) {
		CallRecorder recorder = method.recorder;
		if (recorder != null) {
			recorder.threw(type(thrown));
		}
		log(method, thrown, traceId);
	}

	/** The same for code of the application that is no implementation: not counted. */
	public void log(ServerMethod method, @Nullable Throwable thrown, @Nullable String traceId) {
		String type = type(thrown);
		String trace = (traceId != null) ? " in trace " + printable(traceId) : "";
		Set<String> known = this.classes.computeIfAbsent(method.descriptor, (any) -> ConcurrentHashMap.newKeySet());
		if (known.contains(type) || (known.size() < MOST_CLASSES && known.add(type))) {
			this.log.warn(REASON, new Kind(method.descriptor, type), () -> method.descriptor + trace, thrown);
			return;
		}
		this.log.warn(REASON, method.descriptor,
				() -> method.descriptor + trace + ", one of more than " + MOST_CLASSES + " classes", thrown);
	}

	/** An interceptor may have it from the peer. */
	private static String printable(String traceId) {
		String kept = (traceId.length() > MOST_OF_TRACE) ? traceId.substring(0, MOST_OF_TRACE) : traceId;
		return kept.replaceAll("[^\\x21-\\x7e]", "?");
	}

	private static String type(@Nullable Throwable thrown) {
		return (thrown != null) ? thrown.getClass().getName() : "null";
	}

	/** What one line is for. */
	private record Kind(MethodDescriptor method, String type) {
	}

}
