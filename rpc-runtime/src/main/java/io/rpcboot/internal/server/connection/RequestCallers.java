package io.rpcboot.internal.server.connection;

import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

import io.rpcboot.context.CallerIdentity;
import io.rpcboot.metrics.TransportRecorder;

/**
 * Callers that a connection has proved: by its certificate, and by the credentials of its
 * requests. Event loop only, except {@link #last}.
 */
public final class RequestCallers {

	/** Maximum of names that are counted for one connection. */
	public static final int MAX_NAMES = 100;

	private final TransportRecorder recorder;

	/** Names that were counted. */
	private final Set<String> names = new HashSet<>();

	/** Caller of the last request with credentials; anonymous before. */
	private volatile CallerIdentity last = CallerIdentity.anonymous();

	/**
	 * Creates the callers of a connection.
	 * @param recorder counts them
	 */
	public RequestCallers(TransportRecorder recorder) {
		this.recorder = recorder;
	}

	/** Notes the caller of a request with credentials. */
	public void requested(CallerIdentity caller) {
		if (caller != this.last) {
			this.last = caller;
			count(caller);
		}
	}

	/** Counts a caller, once for each name. */
	public void count(CallerIdentity caller) {
		if (caller.isAuthenticated() && this.names.size() < MAX_NAMES && this.names.add(caller.getName())) {
			this.recorder.connectionIdentified(caller.getName());
		}
	}

	/**
	 * Returns the caller of the last request with credentials while these are valid, else
	 * the other. Any thread.
	 */
	public CallerIdentity last(CallerIdentity other) {
		CallerIdentity caller = this.last;
		return (caller.isAuthenticated() && Instant.now().isBefore(caller.expiresAt())) ? caller : other;
	}

}
