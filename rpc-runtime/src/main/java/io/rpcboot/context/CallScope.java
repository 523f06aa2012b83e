package io.rpcboot.context;

import java.util.concurrent.Callable;

import io.rpcboot.internal.concurrent.CurrentTask;
import org.jspecify.annotations.Nullable;

/**
 * What a thread knows beside its task: which call it serves, and with which options it
 * calls.
 *
 * @param context null for none
 * @param options null for none
 */
record CallScope(@Nullable RpcContext context, @Nullable CallOptions options) {

	/** Serving a call, with the options of the calling thread left behind. */
	static CallScope of(RpcContext context) {
		return new CallScope(context, null);
	}

	static @Nullable CallScope current() {
		return (CurrentTask.carried() instanceof CallScope scope) ? scope : null;
	}

	void run(Runnable task) {
		Object before = CurrentTask.carry(this);
		try {
			task.run();
		}
		finally {
			CurrentTask.restore(before);
		}
	}

	<T> T call(Callable<T> task) throws Exception {
		return CurrentTask.carrying(this, task);
	}

}
