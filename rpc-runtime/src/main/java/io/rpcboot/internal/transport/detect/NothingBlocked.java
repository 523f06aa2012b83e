package io.rpcboot.internal.transport.detect;

import java.util.List;

import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.write.BlockedFrames;
import io.rpcboot.internal.transport.write.WriteQueue;

/** The blocked frames of a connection that writes none: its protocol is not known. */
final class NothingBlocked extends BlockedFrames {

	NothingBlocked(WriteQueue queue) {
		super(queue, List.of(), List.of());
	}

	@Override
	protected void add(OutboundFrame frame, WriteDecision decision) {
		throw new IllegalStateException(frame + " before the protocol is known");
	}

	@Override
	protected void write() {
	}

	@Override
	protected void update() {
	}

}
