package io.rpcboot.internal.transport.write;

import io.rpcboot.internal.transport.frame.Admission;
import io.rpcboot.internal.transport.frame.Frame;

/**
 * Writes frames that the event loop itself has made, without a place in the queue. Stands
 * beside write queue. Event loop only.
 */
final class InlineWrites {

	private InlineWrites() {
	}

	/** Write a frame behind those that are queued; as {@link WriteQueue#writeNow}. */
	static boolean write(WriteQueue queue, Frame frame, byte[] bytes) {
		if (queue.state == WriteQueue.ENDED || frame.length > Frame.LARGE_BODY) {
			return false;
		}
		Admission admission = Admission.HOLD;
		try {
			if (writeQueued(queue)) {
				admission = frame.begin(true);
			}
			if (admission == Admission.WRITE) {
				queue.append(frame, bytes);
			}
			queue.schedule();
		}
		catch (RuntimeException | Error ex) {
			queue.trouble.end(ex);
		}
		return admission == Admission.WRITE || admission == Admission.SKIP;
	}

	/** Returns whether no frame waits any more and the socket takes more. */
	private static boolean writeQueued(WriteQueue queue) {
		for (int i = 0; i < WriteQueue.MAX_FRAMES_PER_DRAIN && !queue.hasBacklog; i++) {
			Frame before = queue.queued.poll();
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
