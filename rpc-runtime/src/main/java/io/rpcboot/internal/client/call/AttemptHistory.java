package io.rpcboot.internal.client.call;

import java.util.HashSet;
import java.util.Set;

import io.rpcboot.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * What a call has behind it that did not go to its end at first try. Confined to the
 * thread that has the call in hand.
 */
public final class AttemptHistory {

	private final Set<Endpoint> tried = new HashSet<>();

	/** Since when it has found no instance or has come back. */
	public final long sinceNanos;

	/** How often the call came back. */
	private int made;

	private int waits;

	private int failed;

	private @Nullable String failedType;

	public AttemptHistory(long sinceNanos) {
		this.sinceNanos = sinceNanos;
	}

	/** The call came back from an instance. */
	public void cameBack(Endpoint from) {
		this.made++;
		this.tried.add(from);
	}

	/** The call has failed at an instance and may have run there. */
	public void failedAt(Endpoint there, @Nullable String remoteType) {
		this.failed++;
		this.failedType = remoteType;
		cameBack(there);
	}

	/** How often the call has failed. */
	public int failed() {
		return this.failed;
	}

	/**
	 * Whether the same was thrown the last time: then it is the call and not the
	 * instance.
	 * @param remoteType null for nothing
	 */
	public boolean failedSo(@Nullable String remoteType) {
		return remoteType != null && remoteType.equals(this.failedType);
	}

	/** How often no instance took the call at once, this time included. */
	public int waits() {
		return ++this.waits;
	}

	public int made() {
		return this.made;
	}

	public boolean avoids(Endpoint endpoint) {
		return this.tried.contains(endpoint);
	}

}
