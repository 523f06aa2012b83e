package io.rpcboot.client;

import java.util.HashSet;
import java.util.Set;

import io.rpcboot.Endpoint;

/**
 * What a call has behind it that did not go to its end at first try. Confined to the
 * thread that has the call in hand.
 */
final class Attempts {

	private final Set<Endpoint> tried = new HashSet<>();

	/** Since when it has found no instance or has come back. */
	final long sinceNanos;

	/** How often the call came back. */
	private int made;

	private int waits;

	Attempts(long sinceNanos) {
		this.sinceNanos = sinceNanos;
	}

	/** The call came back from an instance and did not run. */
	void cameBack(Endpoint from) {
		this.made++;
		this.tried.add(from);
	}

	/** How often no instance took the call at once, this time included. */
	int waits() {
		return ++this.waits;
	}

	int made() {
		return this.made;
	}

	boolean avoids(Endpoint endpoint) {
		return this.tried.contains(endpoint);
	}

}
