package io.rpcboot.client;

/** A call for which no thread waits. It counts for the share of its reference. */
abstract class AsynchronousCall extends ClientCall {

	private final boolean counts;

	AsynchronousCall(int type, Reference reference, CalledMethod method, long startNanos) {
		super(type, reference, method, startNanos);
		this.counts = reference.share.begins();
	}

	@Override
	final boolean isAsynchronous() {
		return true;
	}

	@Override
	final boolean discard() {
		boolean first = super.discard();
		if (first) {
			leaveShare();
		}
		return first;
	}

	/** It has ended; once. */
	final void leaveShare() {
		if (this.counts) {
			this.reference.share.ends();
		}
	}

}
