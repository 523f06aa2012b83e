package io.rpcboot.internal.server.access;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallerIdentity;

/**
 * Identity of a client as a decision about its calls saw it, with the end of its proof. A
 * call keeps the proof that was decided about to its end, whatever becomes of the client
 * meanwhile. Immutable; the hot path reads its fields.
 */
public final class CallerProof {

	/** Time of the end of a proof that has none. */
	public static final long NO_END = Long.MAX_VALUE;

	/** Proof of a client that has proved nothing. */
	public static final CallerProof NONE = new CallerProof(CallerIdentity.anonymous(), CallerIdentity.anonymous(),
			null);

	public final CallerIdentity identity;

	/** Identity of the certificate alone, to which credentials of a call are added. */
	public final CallerIdentity certified;

	/** End of the proof in milliseconds since the epoch, {@link #NO_END} for none. */
	public final long endMillis;

	/** Reason why no call with this proof runs; null if calls run. */
	public final @Nullable AccessDenial suspended;

	/**
	 * Creates a proof.
	 * @param certified identity of the certificate alone; anonymous without one
	 */
	public CallerProof(CallerIdentity identity, CallerIdentity certified, @Nullable AccessDenial suspended) {
		this.identity = identity;
		this.certified = certified;
		this.suspended = suspended;
		this.endMillis = Math.min(millis(identity), millis(certified));
	}

	private static long millis(CallerIdentity of) {
		return (!of.isAuthenticated() || of.expiresAt().equals(Instant.MAX)) ? NO_END : of.expiresAt().toEpochMilli();
	}

	/** Returns the proof of a call with credentials of its own. */
	public CallerProof with(CallerIdentity own) {
		return new CallerProof(own, this.certified, null);
	}

	/** Returns true if both say the same. */
	boolean isSame(CallerProof other) {
		return this.identity.principal() == other.identity.principal()
				&& this.identity.getName().equals(other.identity.getName())
				&& this.identity.names().equals(other.identity.names()) && this.endMillis == other.endMillis
				&& this.suspended == other.suspended;
	}

	boolean isOver(long nowMillis) {
		return nowMillis >= this.endMillis;
	}

	/**
	 * Checks that the proof has not ended.
	 * @throws RpcException for the caller if it has
	 */
	public void requireValid() {
		if (isOver(System.currentTimeMillis())) {
			throw new RpcException(RpcStatus.UNAUTHENTICATED, "the proof of the caller ended before the call began",
					false);
		}
	}

}
