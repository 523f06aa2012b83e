package io.rpcboot.spring.actuate.descriptor;

import java.util.List;

import io.rpcboot.server.PoolInfo;
import io.rpcboot.server.PoolInfo.Holder;
import org.jspecify.annotations.Nullable;

/**
 * The pool of threads that run calls.
 *
 * @param maxThreads most threads
 * @param busy threads that run a call
 * @param waiting calls that wait for a thread
 * @param usedUp the last time that all threads were busy for a second or longer while
 * calls waited; null for never
 * @since 0.1.0
 */
public record PoolDescriptor(int maxThreads, int busy, int waiting, @Nullable UsedUpDescriptor usedUp) {

	/** Most frames of a stack trace; the log has all of them. */
	public static final int MOST_FRAMES = 10;

	public static PoolDescriptor of(PoolInfo pool) {
		PoolInfo.Exhaustion usedUp = pool.usedUp();
		return new PoolDescriptor(pool.maxThreads(), pool.busy(), pool.waiting(),
				(usedUp != null) ? new UsedUpDescriptor(usedUp.at().toEpochMilli(), usedUp.waiting(),
						usedUp.holders().stream().map(PoolDescriptor::shortened).toList()) : null);
	}

	private static Holder shortened(Holder holder) {
		return new Holder(holder.method(), holder.threads(), holder.stuck(),
				holder.stack().subList(0, Math.min(MOST_FRAMES, holder.stack().size())));
	}

	/**
	 * A time at which no thread was free.
	 *
	 * @param at in milliseconds since 1970
	 * @param waiting calls that waited for a thread
	 * @param holders the methods with most threads, at most five
	 */
	public record UsedUpDescriptor(long at, int waiting, List<Holder> holders) {
	}

}
