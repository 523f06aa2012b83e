package io.rpcboot.context;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.internal.context.CurrentTask;
import org.jspecify.annotations.Nullable;

/**
 * Context of a call at the server: the method, the connection, attachments, the remaining
 * time and cancellation.
 *
 * <pre>{@code
 * public List<User> search(String text) {
 *     RpcContext call = RpcContext.current();
 *     List<User> found = new ArrayList<>();
 *     for (Shard shard : this.shards) {
 *         if (call.isCancelled()) {
 *             break;
 *         }
 *         found.addAll(shard.search(text));
 *     }
 *     return found;
 * }
 * }</pre>
 *
 * {@link #current()} returns it on the thread that executes the implementation, whatever
 * the dispatch of the method, in callbacks of the futures of references that the
 * implementation calls, and on other threads within {@link #wrap(Runnable)}. Calls made
 * with this context are cancelled when this call ends early, have at most its remaining
 * time, and forward the attachments that the options of the client name. After the end of
 * this call its deadline still applies, and nothing cancels it any more. Thread-safe,
 * except {@link #replyAttachments()}.
 *
 * @since 0.1.0
 */
public interface RpcContext {

	/**
	 * Returns the context of the call that the calling thread serves.
	 * @return the context, null on a thread that serves none, such as a thread that got a
	 * task without {@link #wrap(Runnable)}
	 */
	static @Nullable RpcContext current() {
		Object current = CurrentTask.current();
		return (current instanceof CallScope scope) ? scope.context() : (RpcContext) current;
	}

	/**
	 * Registration of a listener.
	 *
	 * @since 0.1.0
	 */
	@FunctionalInterface
	interface ListenerRegistration {

		/** Removes the listener. A second call does nothing. */
		void remove();

	}

	/**
	 * Returns the called method.
	 * @return the method of the interface
	 */
	MethodDescriptor method();

	/**
	 * Returns the connection of the caller. Its application name is not verified.
	 * @return the connection, also after its end
	 */
	RpcConnection connection();

	/**
	 * Returns who calls: the identity of the credentials of this call, else that of the
	 * connection when the call began.
	 * @return the identity, {@link CallerIdentity#anonymous()} without a proof
	 */
	CallerIdentity caller();

	/**
	 * Returns the attachments of the call. They are not authenticated.
	 * @return frozen attachments, empty if the client sent none
	 */
	Attachments attachments();

	/**
	 * Returns the attachments of the reply, which is a result, an exception or a refusal.
	 * They may be changed until the reply is written, by one thread at a time.
	 * Attachments of a one-way call are dropped, because it has no reply.
	 * @return attachments to fill
	 */
	Attachments replyAttachments();

	/**
	 * Returns the time until the deadline of the caller.
	 * @return the remaining time; 0 after the deadline; {@link Long#MAX_VALUE}
	 * nanoseconds (292 years) without a deadline and for one-way calls
	 */
	Duration remaining();

	/**
	 * Returns true if the result is not needed: the caller has cancelled the call, its
	 * deadline has passed, or its connection is closed. Never becomes false again.
	 * @return true if cancelled; always false for a one-way call
	 */
	boolean isCancelled();

	/**
	 * Registers a listener for the cancellation of this call. It runs once, when
	 * {@link #isCancelled()} becomes true, or at once if it is true. It does not run if
	 * the call ends before.
	 * @param listener runs on a thread of the server that may block; exceptions that it
	 * throws are logged
	 * @return the registration, which removes the listener
	 */
	ListenerRegistration onCancel(Runnable listener);

	/**
	 * Takes this context along to another thread.
	 * @param task the task of the other thread
	 * @return a task that runs it with this context as {@link #current()}
	 */
	default Runnable wrap(Runnable task) {
		return () -> CurrentTask.carrying(this, task);
	}

	/**
	 * Takes this context along to another thread.
	 * @param task the task of the other thread
	 * @param <T> type of the result
	 * @return a task that calls it with this context as {@link #current()}
	 */
	default <T> Callable<T> wrap(Callable<T> task) {
		return () -> CurrentTask.carrying(this, task);
	}

	/**
	 * Takes this context along to the threads of an executor.
	 * @param executor the executor
	 * @return an executor whose tasks have this context as {@link #current()}
	 */
	default Executor wrap(Executor executor) {
		return (task) -> executor.execute(wrap(task));
	}

}
