package io.rpcboot.internal.server.access;

import java.time.Duration;
import java.time.Instant;

import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.internal.server.access.ConnectionIdentity.Check;
import io.rpcboot.security.SharedSecret;
import org.jspecify.annotations.Nullable;

/**
 * Says from the history of a connection who its client has to be at a time: whom its
 * certificate names until its end, and the user of the newest credentials that a check
 * has found valid, until their end or until a check finds them invalid.
 */
final class IdentityOracle {

	private static final Duration CHECK = Duration.ofSeconds(60);

	private static final Duration PAUSE = Duration.ofSeconds(1);

	private static final Duration UNCHECKED = Duration.ofMinutes(5);

	/** End of the certificate; null without one. */
	private final @Nullable Instant certificate;

	private final boolean needsCertificate;

	boolean introduced;

	/** True once nothing may happen any more. */
	boolean ended;

	/** True once credentials have arrived before the client was known. */
	private boolean known;

	/** Newest credentials that no check has begun with. */
	private @Nullable String waiting;

	private @Nullable Check newer;

	private Instant lastNewer = Instant.MIN;

	private @Nullable String used;

	private @Nullable CallerIdentity user;

	private Instant valid = Instant.MIN;

	private @Nullable Check again;

	private Instant lastAgain = Instant.MIN;

	IdentityOracle(@Nullable Instant certificate, boolean needsCertificate) {
		this.certificate = certificate;
		this.needsCertificate = needsCertificate;
	}

	static void require(boolean holds, String otherwise) {
		if (!holds) {
			throw new AssertionError(otherwise);
		}
	}

	void arrived(String header) {
		this.waiting = header;
	}

	/** A check begins. */
	void begun(Check check, Instant now) {
		require(this.introduced && !this.ended, "a check before the introduction or after the end");
		if (!check.isAgain()) {
			require(this.newer == null, "a second check of newer credentials");
			require(check.header().equals(this.waiting), "a check of other credentials than the newest");
			require(isDue(this.lastNewer, PAUSE, now), "newer credentials are checked too soon");
			this.newer = check;
			this.waiting = null;
			this.lastNewer = now;
			return;
		}
		require(this.again == null, "a second check of credentials in use");
		require(check.header().equals(this.used), "a check of other credentials than those in use");
		require(isDue(this.valid, CHECK, now), "credentials in use are checked too soon");
		require(isDue(this.lastAgain, PAUSE, now), "credentials in use are checked too often");
		this.again = check;
		this.lastAgain = now;
	}

	private static boolean isDue(Instant last, Duration pause, Instant now) {
		return last.equals(Instant.MIN) || !now.isBefore(last.plus(pause));
	}

	/** A check finds credentials valid; those that are used no more do not count. */
	void valid(Check check, CallerIdentity found, Instant now) {
		if (check != this.newer && check != this.again) {
			return;
		}
		this.newer = (check == this.newer) ? null : this.newer;
		this.again = null;
		this.lastAgain = Instant.MIN;
		this.known = true;
		this.used = check.header();
		this.user = found;
		this.valid = now;
	}

	/** A check finds credentials invalid, or is not possible. */
	void failed(Check check, RpcStatus why) {
		boolean isNewer = check == this.newer;
		if (!isNewer && check != this.again) {
			return;
		}
		this.newer = isNewer ? null : this.newer;
		this.again = isNewer ? this.again : null;
		boolean isInvalid = why == RpcStatus.UNAUTHENTICATED;
		if (isInvalid && check.header().equals(this.used)) {
			forget();
		}
		else if (isNewer && this.known && !isInvalid && this.waiting == null && !check.header().equals(this.used)) {
			this.waiting = check.header();
		}
	}

	private void forget() {
		this.used = null;
		this.user = null;
		this.again = null;
		this.lastAgain = Instant.MIN;
	}

	void refused(RpcStatus why) {
		require(!this.known && !this.ended, "a refusal of a client that is known: " + why);
		this.ended = true;
	}

	void certificateEnded(Instant now) {
		Instant end = this.certificate;
		require(this.needsCertificate && end != null && !now.isBefore(end) && !this.ended,
				"an end of the connection without one of its certificate");
		this.ended = true;
	}

	/** End of the certificate that counts at a time. */
	Instant certificate(Instant now) {
		return (this.certificate != null && now.isBefore(this.certificate)) ? this.certificate : Instant.MAX;
	}

	/** End of all that a call with the current proof needs. */
	Instant end(Instant now) {
		CallerIdentity current = this.user;
		Instant ofUser = (current != null) ? current.expiresAt() : Instant.MAX;
		Instant ofCertificate = certificate(now);
		return ofUser.isBefore(ofCertificate) ? ofUser : ofCertificate;
	}

	/** Compares what was said with what holds. */
	void verify(@Nullable CallerProof said, Instant now) {
		if (!this.introduced || this.ended) {
			return;
		}
		Instant end = this.certificate;
		boolean isCertified = end != null && now.isBefore(end);
		require(!this.needsCertificate || isCertified, "a connection without the certificate that it needs");
		if (this.user != null && !now.isBefore(this.user.expiresAt())) {
			forget();
		}
		this.known |= this.newer == null && this.waiting == null;
		require((said != null) == this.known, "whether the client is known: " + this.known);
		require(this.waiting == null || this.newer != null || !isDue(this.lastNewer, PAUSE, now),
				"newer credentials wait for their check");
		require(this.used == null || this.again != null || !isDue(this.valid, CHECK, now)
				|| !isDue(this.lastAgain, PAUSE, now), "credentials in use wait for their check");
		if (said != null) {
			verify(said, isCertified, now);
		}
	}

	private void verify(CallerProof said, boolean isCertified, Instant now) {
		CallerIdentity expected = this.user;
		String name = (expected != null) ? expected.getName() : isCertified ? "machine" : "anonymous";
		require(said.identity.getName().equals(name), "%s instead of %s".formatted(said.identity, name));
		require(said.certified.isAuthenticated() == isCertified, "certificate: " + isCertified);
		boolean isSuspended = expected != null && !SharedSecret.isHolder(expected.principal())
				&& isDue(this.valid, UNCHECKED, now);
		require((said.suspended != null) == isSuspended, "suspended: " + isSuspended);
		require(!isSuspended || said.suspended.status() == RpcStatus.UNAVAILABLE, "status of a suspended client");
		Instant end = end(now);
		require(said.endMillis == (end.equals(Instant.MAX) ? CallerProof.NO_END : end.toEpochMilli()), "end: " + end);
	}

}
