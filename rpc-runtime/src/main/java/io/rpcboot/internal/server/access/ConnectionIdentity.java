package io.rpcboot.internal.server.access;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.internal.limit.TokenBucket;
import io.rpcboot.security.SharedSecret;

/**
 * Identity of the client of a connection, whatever its protocol: what its certificate and
 * its newest valid credentials prove, each until its end. A state machine without
 * threads, timers and checks: its owner reports what happens, and does what it is told.
 * <p>
 * Newer credentials and the check of those in use have a slot each, so that neither can
 * displace the other. Credentials in use are checked each minute. Five minutes after the
 * last check that was possible no call runs, until one is possible again; a shared secret
 * is excepted, because this process compares it. Event loop only.
 */
public final class ConnectionIdentity {

	/** Pause before credentials in use that could not be checked are checked again. */
	static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** Time after which credentials in use are checked again. */
	static final long CHECK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(60);

	/** Longest time for which credentials hold without a check. */
	static final long MAX_UNCHECKED_NANOS = TimeUnit.MINUTES.toNanos(5);

	/** Longest time without a look at the clock, which may be set. */
	private static final int MAX_SLEEP_SECONDS = 60;

	private static final long MAX_SLEEP_NANOS = TimeUnit.SECONDS.toNanos(MAX_SLEEP_SECONDS);

	static final AccessDenial UNCHECKED = new AccessDenial(RpcStatus.UNAVAILABLE,
			"the server has not been able to check the credentials for five minutes");

	private final Owner owner;

	private final boolean needsCertificate;

	private final InstantSource clock;

	private final LongSupplier nanoClock;

	/** Identity of the certificate; anonymous without one, and from its end. */
	private CallerIdentity certified;

	/** True once the client has introduced itself. */
	private boolean introduced;

	/** Credentials that have arrived since the last check of newer ones began. */
	private int arrived;

	/** Newest credentials whose check has not begun; null without any. */
	private @Nullable String waiting;

	/** Check of newer credentials; null without one. */
	private @Nullable Check newer;

	/** One check of newer credentials a second. */
	private final TokenBucket newerChecks = new TokenBucket(1, 1);

	/** Credentials in use, null without any. */
	private @Nullable String credentials;

	/** Identity of the credentials in use, without that of the certificate. */
	private @Nullable CallerIdentity found;

	/** Time of the last check that found the credentials in use valid. */
	private long validNanos;

	/** Check of the credentials in use; null without one. */
	private @Nullable Check again;

	/** Time of the next check of the credentials in use. */
	private long againNanos;

	/** Proof that the owner knows; null before. */
	private @Nullable CallerProof proof;

	/** True once the connection is refused, ends or is closed; never false again. */
	private boolean ended;

	/**
	 * Creates the identity of a connection.
	 * @param certificate identity of the certificate; anonymous without one
	 * @param needsCertificate true if the connection ends with the certificate
	 * @param clock time for the ends of proofs
	 * @param nanoClock time for intervals
	 */
	public ConnectionIdentity(Owner owner, CallerIdentity certificate, boolean needsCertificate, InstantSource clock,
			LongSupplier nanoClock) {
		this.owner = owner;
		this.certified = certificate;
		this.needsCertificate = needsCertificate;
		this.clock = clock;
		this.nanoClock = nanoClock;
	}

	/** Does what an identity says. It may answer a check at once. */
	public interface Owner {

		/** Checks credentials, and answers. */
		void check(Check check);

		/** Notes who the client is: the first time it is known, and each change. */
		void identified(CallerProof proof);

		/** Refuses the client: its first credentials are not valid. */
		void refused(AccessDenial why);

		/** Ends the connection once its calls have ended: it needs a certificate. */
		void certificateEnded();

	}

	/** Check of credentials, which is told apart by its reference. */
	public static final class Check {

		private final String header;

		private final boolean isAgain;

		private final long begunNanos;

		private Check(String header, boolean isAgain, long begunNanos) {
			this.header = header;
			this.isAgain = isAgain;
			this.begunNanos = begunNanos;
		}

		/** Returns the credentials. */
		public String header() {
			return this.header;
		}

		/** Returns true for credentials in use. */
		public boolean isAgain() {
			return this.isAgain;
		}

	}

	/**
	 * Notes credentials that have arrived. Of those that wait, the newest count.
	 * @return number of credentials that have arrived since the last check of some
	 */
	public int arrived(String header) {
		int count = ++this.arrived;
		if (!this.ended) {
			this.waiting = header;
			advance();
		}
		return count;
	}

	/** Finds out who the client is: it has introduced itself. */
	public void introduced() {
		this.introduced = true;
		advance();
	}

	/** Does what is due. */
	public void advance() {
		if (!this.introduced || this.ended) {
			return;
		}
		if (isOver(this.certified)) {
			this.certified = CallerIdentity.anonymous();
			this.ended = this.needsCertificate;
		}
		if (this.found != null && isOver(this.found)) {
			drop();
		}
		if (this.proof != null || this.found != null || (this.waiting == null && this.newer == null)) {
			publish();
		}
		if (this.ended) {
			this.owner.certificateEnded();
			return;
		}
		long now = this.nanoClock.getAsLong();
		if (this.credentials != null && this.again == null && now - this.againNanos >= 0) {
			this.again = new Check(this.credentials, true, now);
			this.owner.check(this.again);
		}
		if (this.waiting != null && this.newer == null && this.newerChecks.tryTake(1, now)) {
			this.newer = new Check(this.waiting, false, now);
			this.waiting = null;
			this.arrived = 0;
			this.owner.check(this.newer);
		}
	}

	private boolean isOver(CallerIdentity proved) {
		return proved.isAuthenticated() && !this.clock.instant().isBefore(proved.expiresAt());
	}

	/**
	 * Notes the outcome of a check.
	 * @param identity null if the credentials are not valid, or could not be checked
	 * @param why the reason then
	 */
	public void checked(Check check, @Nullable CallerIdentity identity, @Nullable AccessDenial why) {
		boolean isAgain = check == this.again;
		if (this.ended || (!isAgain && check != this.newer)) {
			return;
		}
		this.again = isAgain ? null : this.again;
		this.newer = isAgain ? this.newer : null;
		if (identity != null) {
			use(check.header, identity);
		}
		else if (why != null) {
			failed(check, why);
		}
		advance();
	}

	private void use(String header, CallerIdentity identity) {
		this.credentials = header;
		this.found = identity;
		this.again = null;
		this.validNanos = this.nanoClock.getAsLong();
		this.againNanos = this.validNanos + CHECK_AGAIN_NANOS;
	}

	private void failed(Check check, AccessDenial why) {
		boolean isInvalid = why.status() == RpcStatus.UNAUTHENTICATED;
		boolean isInUse = check.header.equals(this.credentials);
		if (this.proof == null) {
			this.ended = true;
			this.owner.refused(why);
		}
		else if (isInUse && isInvalid) {
			drop();
		}
		else if (check.isAgain) {
			this.againNanos = check.begunNanos + PAUSE_NANOS;
		}
		else if (!isInUse && !isInvalid && this.waiting == null) {
			this.waiting = check.header;
		}
	}

	/** Ends the credentials in use. */
	private void drop() {
		this.credentials = null;
		this.found = null;
		this.again = null;
	}

	/** Tells the owner who the client is, if that has changed. */
	private void publish() {
		CallerIdentity identity = AccessControl.withCertificate(this.found, this.certified);
		CallerProof next = new CallerProof(identity, this.certified, isSuspended() ? UNCHECKED : null);
		if (this.proof == null || !this.proof.isSame(next)) {
			this.proof = next;
			this.owner.identified(next);
		}
	}

	private boolean isSuspended() {
		return this.found != null && untilSuspended(this.found, this.nanoClock.getAsLong()) <= 0;
	}

	private long untilSuspended(CallerIdentity of, long now) {
		boolean isLocal = SharedSecret.isHolder(of.principal());
		return isLocal ? Long.MAX_VALUE : MAX_UNCHECKED_NANOS - (now - this.validNanos);
	}

	/**
	 * Returns the time until {@link #advance} has something to do.
	 * @return 0 or more nanoseconds; -1 if only an event gives it something to do
	 */
	public long nextNanos() {
		if (!this.introduced || this.ended) {
			return -1;
		}
		long now = this.nanoClock.getAsLong();
		long next = left(this.certified);
		CallerIdentity used = this.found;
		if (used != null) {
			next = Math.min(next, left(used));
			next = Math.min(next, (this.again == null) ? this.againNanos - now : Long.MAX_VALUE);
			long suspended = untilSuspended(used, now);
			next = Math.min(next, (suspended > 0) ? suspended : Long.MAX_VALUE);
		}
		if (this.waiting != null && this.newer == null) {
			next = Math.min(next, this.newerChecks.nanosUntil(1, now));
		}
		return (next == Long.MAX_VALUE) ? -1 : Math.max(0, Math.min(next, MAX_SLEEP_NANOS));
	}

	private long left(CallerIdentity proved) {
		if (!proved.isAuthenticated() || proved.expiresAt().equals(Instant.MAX)) {
			return Long.MAX_VALUE;
		}
		Duration left = Duration.between(this.clock.instant(), proved.expiresAt());
		return (left.getSeconds() < MAX_SLEEP_SECONDS) ? left.toNanos() : MAX_SLEEP_NANOS;
	}

	/** Forgets the credentials: the connection is closed. */
	public void close() {
		this.ended = true;
		this.waiting = null;
		drop();
	}

}
