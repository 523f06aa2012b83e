package io.rpcboot.context;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.internal.context.CurrentTask;
import io.rpcboot.internal.context.ServedCall;
import org.jspecify.annotations.Nullable;

/**
 * A call at the server, as its implementation sees it. {@link #current()} finds it on the
 * thread that runs the implementation, whichever the dispatch of the method chooses; on
 * other threads within {@link #wrap(Runnable)}. Calls that an implementation makes where
 * it has its context end when it ends early, have at most the time that it has left, and
 * pass on the attachments that the client is told to. Thread-safe, but for the
 * attachments of the reply.
 */
public interface RpcContext {

	/**
	 * The call that the calling thread serves.
	 * @return null on a thread that serves none, as on one to which an implementation has
	 * handed its work without {@link #wrap(Runnable)}
	 */
	static @Nullable RpcContext current() {
		Object carried = CurrentTask.carried();
		if (carried == null) {
			return (CurrentTask.running() instanceof ServedCall call) ? (RpcContext) call.context() : null;
		}
		return (carried instanceof CallScope scope) ? scope.context() : (RpcContext) carried;
	}

	/** An interest that can be given up. */
	@FunctionalInterface
	interface Registration {

		/** Give it up. Twice does nothing. */
		void remove();

	}

	/**
	 * What is called.
	 * @return the method of the interface
	 */
	MethodDescriptor method();

	/**
	 * Where the call comes from. The name of the client's application is what the client
	 * says; nothing proves it.
	 * @return the connection, also when it has ended
	 */
	RpcConnection connection();

	/**
	 * What the client has sent along.
	 * @return what cannot be changed, empty if nothing
	 */
	Attachments attachments();

	/**
	 * What goes back with the answer, be it a result, an exception or a refusal. May be
	 * filled until the answer is made; a one-way call has no answer, and what is put here
	 * is lost.
	 * @return to be changed, by one thread at a time
	 */
	Attachments replyAttachments();

	/**
	 * How long the caller still waits.
	 * @return 0 when it no longer does; some 292 years if it waits without end, as for a
	 * one-way call, which ends when it ends
	 */
	Duration remaining();

	/**
	 * Whether nobody waits for the result any more: the caller has cancelled, its time is
	 * over, or its connection is gone. Always false for a one-way call.
	 * @return true once that is so
	 */
	boolean isCancelled();

	/**
	 * Ask to be told when {@link #isCancelled()} becomes true. Never told when the call
	 * ends otherwise.
	 * @param listener run once, by a thread of the server that may block; at once if the
	 * call is cancelled already. What it throws is logged
	 * @return to give it up
	 */
	Registration onCancel(Runnable listener);

	/**
	 * Take this call along to another thread.
	 * @param task what will run with this call as {@link #current()}
	 * @return what to give to the other thread
	 */
	default Runnable wrap(Runnable task) {
		return () -> CurrentTask.carrying(this, task);
	}

	/**
	 * Take this call along to another thread.
	 * @param task what will run with this call as {@link #current()}
	 * @param <T> the type of its result
	 * @return what to give to the other thread
	 */
	default <T> Callable<T> wrap(Callable<T> task) {
		return () -> CurrentTask.carrying(this, task);
	}

	/**
	 * Take this call along to the threads of an executor.
	 * @param executor runs the tasks
	 * @return an executor whose tasks have this call as {@link #current()}
	 */
	default Executor wrap(Executor executor) {
		return (task) -> executor.execute(wrap(task));
	}

}
