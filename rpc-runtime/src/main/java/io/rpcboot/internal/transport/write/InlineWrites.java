package io.rpcboot.internal.transport.write;

import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;

/**
 * Writes frames that the event loop itself has made, without a place in the queue. Stands
 * beside write queue. Event loop only.
 */
final class InlineWrites {

	private InlineWrites() {
	}

	/** Write a frame behind those that are queued; as {@link WriteQueue#writeNow}. */
	static boolean write(WriteQueue queue, OutboundFrame frame, byte[] bytes) {
		if (queue.state == WriteQueue.ENDED || frame.length > OutboundFrame.LARGE_BODY) {
			return false;
		}
		WriteDecision admission = WriteDecision.HOLD;
		try {
			if (writeQueued(queue)) {
				admission = frame.beforeWrite(true);
			}
			if (admission == WriteDecision.WRITE) {
				queue.append(frame, bytes);
			}
			queue.schedule();
		}
		catch (RuntimeException | Error ex) {
			queue.trouble.end(ex);
		}
		return admission == WriteDecision.WRITE || admission == WriteDecision.SKIP;
	}

	/** Returns whether no frame waits any more and the socket takes more. */
	private static boolean writeQueued(WriteQueue queue) {
		for (int i = 0; i < WriteQueue.MAX_FRAMES_PER_DRAIN && !queue.hasBacklog; i++) {
			OutboundFrame before = queue.queued.poll();
			if (before == null) {
				return queue.queued.isEmpty() && queue.channel.isWritable();
			}
			if (i == 0) {
				queue.drainNanos = System.nanoTime();
			}
			queue.accept(before);
		}
		return false;
	}

}
