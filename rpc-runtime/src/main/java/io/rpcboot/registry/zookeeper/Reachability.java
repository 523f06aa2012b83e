package io.rpcboot.registry.zookeeper;

import java.time.Instant;
import java.time.InstantSource;

import io.rpcboot.registry.RegistryState;

/**
 * Whether ZooKeeper can be reached, since when, and how often it was lost. Any thread.
 */
final class Reachability {

	private final InstantSource clock;

	/** What is known of the connection; it may live a moment longer than the registry. */
	private RegistryState connection = RegistryState.CONNECTING;

	private Instant since;

	private long outages;

	private boolean closed;

	/** Why ZooKeeper does not let this process in, empty if it does. */
	private String refusal = "";

	/** Whether everything has worked once. */
	private boolean accepted;

	Reachability(InstantSource clock) {
		this.clock = clock;
		this.since = clock.instant();
	}

	synchronized void reached() {
		if (this.connection != RegistryState.CONNECTED) {
			become(RegistryState.CONNECTED);
		}
	}

	/** What was never reached cannot be lost. */
	synchronized void lost() {
		if (this.connection == RegistryState.CONNECTED) {
			this.outages += (this.closed || isRefused()) ? 0 : 1;
			become(RegistryState.DISCONNECTED);
		}
	}

	private void become(RegistryState next) {
		this.connection = next;
		if (!this.closed && !isRefused()) {
			this.since = this.clock.instant();
		}
	}

	/** Reached, but of no use. Returns whether that is new. */
	synchronized boolean refused(String why) {
		boolean first = !isRefused();
		if (first && !this.closed) {
			this.outages += this.accepted ? 1 : 0;
			this.since = this.clock.instant();
		}
		this.refusal = why;
		return first;
	}

	/** All that was asked of it has worked. Returns whether it was refused before. */
	synchronized boolean accepted() {
		boolean before = isRefused();
		this.refusal = "";
		this.accepted = true;
		if (before && !this.closed) {
			this.since = this.clock.instant();
		}
		return before;
	}

	private boolean isRefused() {
		return !this.refusal.isEmpty();
	}

	/** Why this process is not let in, empty if it is. */
	synchronized String refusal() {
		return this.refusal;
	}

	/** The application wants it no longer. Returns false if it was closed before. */
	synchronized boolean close() {
		boolean first = !this.closed;
		if (first) {
			this.closed = true;
			this.since = this.clock.instant();
		}
		return first;
	}

	synchronized boolean isClosed() {
		return this.closed;
	}

	/** Whether it can be reached now, if only to take out what was registered. */
	synchronized boolean isConnected() {
		return this.connection == RegistryState.CONNECTED;
	}

	synchronized RegistryState state() {
		if (this.closed) {
			return RegistryState.CLOSED;
		}
		if (isRefused()) {
			return this.accepted ? RegistryState.DISCONNECTED : RegistryState.CONNECTING;
		}
		return this.connection;
	}

	/** Since when the state is what it is. */
	synchronized Instant since() {
		return this.since;
	}

	synchronized long outages() {
		return this.outages;
	}

}
