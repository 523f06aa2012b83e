package io.rpcboot.grpc;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Thread that cancels contexts at their deadlines. Ends when no call has one. */
final class DeadlineTimer {

	static final ScheduledExecutorService INSTANCE = create();

	private DeadlineTimer() {
	}

	private static ScheduledExecutorService create() {
		ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "rpc-grpc-deadlines");
			thread.setDaemon(true);
			return thread;
		});
		timer.setRemoveOnCancelPolicy(true);
		timer.setKeepAliveTime(10, TimeUnit.SECONDS);
		timer.allowCoreThreadTimeOut(true);
		return timer;
	}

}
