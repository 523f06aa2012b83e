package io.rpcboot.internal.server.connection;

import java.time.InstantSource;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.rpcboot.internal.server.access.AccessControl;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.access.CallerProof;
import io.rpcboot.internal.server.access.ConnectionIdentity;
import io.rpcboot.internal.transport.connection.Connection;

/**
 * Runs the {@link ConnectionIdentity} of a connection: its checks and its timer. Event
 * loop only.
 */
public final class ClientIdentity implements ConnectionIdentity.Owner {

	private final Connection connection;

	/** Checks credentials; null to ignore them. */
	private final @Nullable AccessControl access;

	private final Listener listener;

	private final ConnectionIdentity identity;

	private @Nullable Future<?> timer;

	/**
	 * Creates the identity of a connection whose TLS handshake has ended.
	 * @param clock time for the ends of proofs
	 * @param nanoClock time for intervals
	 */
	public ClientIdentity(Connection connection, @Nullable AccessControl access, InstantSource clock,
			LongSupplier nanoClock, Listener listener) {
		this.connection = connection;
		this.access = access;
		this.listener = listener;
		this.identity = new ConnectionIdentity(this, connection.certified(), connection.needsCertificate(), clock,
				nanoClock);
	}

	/** Gets what becomes known. */
	public interface Listener {

		/** Reason of the end of a connection whose certificate has ended. */
		String CERTIFICATE_ENDED = "the certificate of the client has ended";

		/** Notes who the client is: the first time it is known, and each change. */
		void identified(CallerProof proof);

		/** Refuses the client: its first credentials are not valid. */
		void refused(AccessDenial why);

		/** Ends the connection once its calls have ended: it needs a certificate. */
		void certificateEnded();

	}

	/**
	 * Notes credentials that have arrived.
	 * @return number of credentials that have arrived since the last check of some
	 */
	public int arrived(String header) {
		int count = (this.access != null) ? this.identity.arrived(header) : 0;
		schedule();
		return count;
	}

	/** Finds out who the client is: it has introduced itself. */
	public void introduced() {
		this.identity.introduced();
		schedule();
	}

	@Override
	public void check(ConnectionIdentity.Check check) {
		AccessControl control = this.access;
		if (control == null) {
			throw new IllegalStateException("credentials are ignored");
		}
		String remote = this.connection.remote();
		(check.isAgain() ? control.identifyAgain(check.header(), remote)
				: control.identify(check.header(), remote, this.connection.isPrivate()))
			.whenComplete((found, failure) -> this.connection.executeNow(() -> {
				this.identity.checked(check, found, (failure != null) ? AccessControl.refusal(failure) : null);
				schedule();
			}));
	}

	@Override
	public void identified(CallerProof proof) {
		this.listener.identified(proof);
	}

	@Override
	public void refused(AccessDenial why) {
		this.listener.refused(why);
	}

	@Override
	public void certificateEnded() {
		this.listener.certificateEnded();
	}

	private void schedule() {
		stopTimer();
		long next = this.identity.nextNanos();
		if (next >= 0) {
			this.timer = this.connection.loop().schedule(() -> {
				this.identity.advance();
				schedule();
			}, next, TimeUnit.NANOSECONDS);
		}
	}

	private void stopTimer() {
		if (this.timer != null) {
			this.timer.cancel(false);
		}
	}

	/** Forgets all: the connection is closed. */
	public void close() {
		this.identity.close();
		stopTimer();
	}

}
