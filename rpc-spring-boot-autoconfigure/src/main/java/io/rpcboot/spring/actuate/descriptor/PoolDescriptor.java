package io.rpcboot.spring.actuate.descriptor;

import java.util.List;

import io.rpcboot.server.PoolInfo;
import io.rpcboot.server.PoolInfo.Holder;
import org.jspecify.annotations.Nullable;

/**
 * The threads that run calls.
 *
 * @param maxThreads most threads
 * @param busy threads that run a call
 * @param waiting calls that wait for a thread
 * @param usedUp the last time that all were in use for a second or longer while calls
 * waited; null if that never was
 */
public record PoolDescriptor(int maxThreads, int busy, int waiting, @Nullable UsedUpDescriptor usedUp) {

	/** Of a stack of a thread; the log has all of it. */
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
	 * A moment at which no thread was free.
	 *
	 * @param at when, in milliseconds since 1970
	 * @param waiting calls that waited for a thread
	 * @param holders the methods that had most of the threads, five at most
	 */
	public record UsedUpDescriptor(long at, int waiting, List<Holder> holders) {
	}

}
