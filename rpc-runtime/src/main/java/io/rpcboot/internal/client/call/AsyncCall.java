package io.rpcboot.internal.client.call;

/**
 * A call for which no thread waits. It counts for the share of its reference while it has
 * room, and not while it waits for that.
 */
abstract class AsyncCall extends ClientCall {

	/** Written before it has room, read by who ends it. */
	private boolean counts;

	AsyncCall(int type, CallDispatcher reference, BoundMethod method, long startNanos) {
		super(type, reference, method, startNanos);
	}

	@Override
	public final boolean isAsynchronous() {
		return true;
	}

	@Override
	public final void markAdmitted() {
		this.counts = this.reference.share.onAdmitted();
		super.markAdmitted();
	}

	@Override
	public final boolean admit() {
		boolean counted = this.reference.share.onAdmitted();
		this.counts = counted;
		boolean entered = super.admit();
		if (!entered && counted) { // who ended it knows of no room
			this.reference.share.onCompleted();
		}
		return entered;
	}

	@Override
	public final boolean discard() {
		boolean first = super.discard();
		if (first) {
			leaveShare(this.wasAdmitted);
		}
		return first;
	}

	/**
	 * It has ended; once.
	 * @param hadRoom whether it was under way
	 */
	final void leaveShare(boolean hadRoom) {
		if (hadRoom && this.counts) {
			this.reference.share.onCompleted();
		}
	}

}
