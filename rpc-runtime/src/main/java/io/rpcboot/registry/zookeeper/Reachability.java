package io.rpcboot.registry.zookeeper;

import java.time.Instant;
import java.time.InstantSource;

import io.rpcboot.registry.RegistryState;

/**
 * State of the connection to ZooKeeper, the time of its last change, and the number of
 * outages. Any thread.
 */
final class Reachability {

	private final InstantSource clock;

	/** State of the connection, which may end later than the registry. */
	private RegistryState connection = RegistryState.CONNECTING;

	private Instant since;

	private long outages;

	private boolean closed;

	/** Reason why ZooKeeper refuses this process, empty if it does not. */
	private String refusal = "";

	/** Reason why ZooKeeper cannot be reached, empty if it is not known. */
	private String unreachable = "";

	/** True once every operation succeeded; never false again. */
	private boolean accepted;

	Reachability(InstantSource clock) {
		this.clock = clock;
		this.since = clock.instant();
	}

	synchronized void reached() {
		this.unreachable = "";
		if (this.connection != RegistryState.CONNECTED) {
			become(RegistryState.CONNECTED);
		}
	}

	/** Records a lost connection. No effect if there was none. */
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

	/** Records a refusal. Returns true if it is the first. */
	synchronized boolean refused(String why) {
		boolean first = !isRefused();
		if (first && !this.closed) {
			this.outages += this.accepted ? 1 : 0;
			this.since = this.clock.instant();
		}
		this.refusal = why;
		return first;
	}

	/** Records that every operation succeeded. Returns true after a refusal. */
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

	/** Returns the reason of a refusal, empty if there is none. */
	synchronized String refusal() {
		return this.refusal;
	}

	/** Records why there is no connection, empty for an unknown reason. */
	synchronized void unreachable(String why) {
		this.unreachable = isConnected() ? "" : why;
	}

	/** Returns the reason of a refusal, or why there is no connection; else empty. */
	synchronized String problem() {
		return isRefused() ? this.refusal : this.unreachable;
	}

	/** Closes the registry. Returns false if it is closed already. */
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

	/**
	 * Returns true while there is a connection, also after {@link #close()}, because
	 * registrations are still removed.
	 */
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

	/** Returns the time at which the current state began. */
	synchronized Instant since() {
		return this.since;
	}

	synchronized long outages() {
		return this.outages;
	}

}
