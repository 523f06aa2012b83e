package io.rpcboot.internal.client.call;

import java.util.HashSet;
import java.util.Set;

import io.rpcboot.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * Retry history of a call: endpoints tried, number of attempts, last failure. Confined to
 * the thread that currently handles the call.
 */
public final class AttemptHistory {

	/** Reason for which a call is sent again. */
	public enum RedispatchReason {

		/** The server has replied that it did not run the call. */
		REFUSED,

		/** The connection drains, or the instance has left the registry. */
		GO_AWAY,

		/** The connection was lost before the call was written. */
		DISCONNECTED,

		/** The call failed, may have run, and its method is repeatable. */
		FAILED,

		/** The call is slow and goes to a second instance, too or instead. */
		HEDGED

	}

	private final Set<Endpoint> tried = new HashSet<>();

	/** Time when the call first found no instance or came back from one. */
	public final long sinceNanos;

	private int made;

	private int waits;

	private int failed;

	private @Nullable String failedType;

	/** True if a failed attempt may have executed. */
	public boolean mayHaveRun;

	public AttemptHistory(long sinceNanos) {
		this.sinceNanos = sinceNanos;
	}

	/** Adds an attempt that did not run. */
	public void cameBack(Endpoint from) {
		this.made++;
		this.tried.add(from);
	}

	/** Adds an attempt that failed and may have run. */
	public void failedAt(Endpoint there, @Nullable String remoteType) {
		this.failed++;
		this.failedType = remoteType;
		cameBack(there);
	}

	/** Returns the number of failed attempts that may have run. */
	public int failed() {
		return this.failed;
	}

	/**
	 * Returns true if the last attempt threw the same exception, which shows that the
	 * call is at fault and not the instance.
	 * @param remoteType null if no exception was thrown
	 */
	public boolean failedSo(@Nullable String remoteType) {
		return remoteType != null && remoteType.equals(this.failedType);
	}

	/** Counts one more wait for an instance and returns the number of waits. */
	public int waits() {
		return ++this.waits;
	}

	/** Returns the number of attempts that have ended. */
	public int made() {
		return this.made;
	}

	/** Returns true if the endpoint was tried. */
	public boolean avoids(Endpoint endpoint) {
		return this.tried.contains(endpoint);
	}

}
