package io.rpcboot.internal.client.call;

import io.rpcboot.context.CallOptions;
import io.rpcboot.context.RpcContext;
import io.rpcboot.internal.call.ScopedContext;
import io.rpcboot.internal.call.ThreadScopes;
import io.rpcboot.internal.context.CurrentTask;
import org.jspecify.annotations.Nullable;

/**
 * Context of the code that makes a call. Code that hangs on the future of the call gets
 * the same.
 *
 * @param served call that the code serves, null for none
 * @param options options of the code, null for none
 * @param carried object with both that a thread carries, null without both
 * @param scopes scopes that client interceptors have added, null without interceptors
 */
public record CallerContext(@Nullable RpcContext served, @Nullable CallOptions options, @Nullable Object carried,
		@Nullable ThreadScopes scopes) {

	/** Returns the context of the calling thread. */
	public static CallerContext current(@Nullable ThreadScopes scopes) {
		return new CallerContext(RpcContext.current(), CallOptions.current(), CurrentTask.current(), scopes);
	}

	/** Returns true if the code serves no call and has no options. */
	private boolean isEmpty() {
		return this.carried == null;
	}

	/** Runs a task as the code that has made the call. Any thread. */
	public void resume(Runnable task) {
		if (isEmpty() && (this.scopes == null || this.scopes.isEmpty())) {
			task.run();
			return;
		}
		CurrentTask.carrying(this.carried, () -> {
			if (this.served instanceof ScopedContext scoped) {
				scoped.inScopes(() -> ThreadScopes.run(this.scopes, task));
			}
			else {
				ThreadScopes.run(this.scopes, task);
			}
		});
	}

}
