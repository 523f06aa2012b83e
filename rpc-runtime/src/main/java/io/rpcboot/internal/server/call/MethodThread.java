package io.rpcboot.internal.server.call;

import java.util.concurrent.Executor;

import io.rpcboot.context.RpcContext;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.server.Dispatch;

/**
 * Runs code of the application that belongs to a call, after its method has begun: where
 * the method runs, with the context of the call.
 *
 * @param call the call
 */
record MethodThread(ServerCall call) implements Executor {

	/**
	 * Runs a task. Any thread.
	 * @throws Error if there is no thread for it
	 */
	@Override
	public void execute(Runnable task) {
		Runnable scoped = inContext(task);
		if (this.call.method.dispatch == Dispatch.VIRTUAL) {
			this.call.responder.server.virtualThreads.execute(scoped);
		}
		else if (this.call.method.dispatch == Dispatch.POOL) {
			this.call.responder.server.workers.execute(scoped);
		}
		else if (Thread.currentThread() instanceof EventLoopThread
				|| this.call.responder.connection.schedule(scoped, 0) == null) { // it has
																					// ended
			scoped.run();
		}
	}

	/** Returns a task that runs with the context of the call. */
	Runnable inContext(Runnable task) {
		RpcContext context = this.call.context;
		return (context != null) ? context.wrap(task) : task;
	}

}
