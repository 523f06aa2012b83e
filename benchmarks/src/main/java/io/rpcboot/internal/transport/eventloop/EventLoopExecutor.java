package io.rpcboot.internal.transport.eventloop;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Lets JMH run on a thread of the kind that event loops have, because the frame decoder
 * reads into an array that such a thread keeps.
 */
public final class EventLoopExecutor extends ThreadPoolExecutor {

	/**
	 * Create the executor; JMH calls this.
	 * @param threads how many
	 * @param prefix what to call them
	 */
	public EventLoopExecutor(int threads, String prefix) {
		super(threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				(task) -> new EventLoopThread(task, prefix));
	}

}
