package io.rpcboot.internal.client.call;

import org.jspecify.annotations.Nullable;

/**
 * Call whose caller does not wait in a thread. Counts for the share of its reference from
 * its admission to its end.
 */
abstract class AsyncCall extends ClientCall {

	/** True if the share counts the call. Written before the admission. */
	private boolean counts;

	AsyncCall(CallDispatcher reference, BoundMethod method, long startNanos) {
		super(reference, method, startNanos);
	}

	@Override
	public final boolean isAsynchronous() {
		return true;
	}

	@Override
	public final void markAdmitted() {
		this.counts = this.reference.resources().share.onAdmitted();
		super.markAdmitted();
	}

	@Override
	public final boolean admit() {
		boolean counted = this.reference.resources().share.onAdmitted();
		this.counts = counted;
		boolean admitted = super.admit();
		if (!admitted && counted) { // the call had ended without a permit
			this.reference.resources().share.onCompleted();
		}
		return admitted;
	}

	@Override
	void releasePermit(@Nullable CallTransport from) {
		leaveShare();
		super.releasePermit(from);
	}

	final void leaveShare() {
		if (this.counts) {
			this.reference.resources().share.onCompleted();
		}
	}

}
