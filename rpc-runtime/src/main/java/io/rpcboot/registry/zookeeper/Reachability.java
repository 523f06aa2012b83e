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
			this.outages += this.closed ? 0 : 1;
			become(RegistryState.DISCONNECTED);
		}
	}

	private void become(RegistryState next) {
		this.connection = next;
		if (!this.closed) {
			this.since = this.clock.instant();
		}
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
		return this.closed ? RegistryState.CLOSED : this.connection;
	}

	/** Since when the state is what it is. */
	synchronized Instant since() {
		return this.since;
	}

	synchronized long outages() {
		return this.outages;
	}

}
