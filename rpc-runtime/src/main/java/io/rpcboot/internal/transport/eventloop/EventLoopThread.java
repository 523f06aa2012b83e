package io.rpcboot.internal.transport.eventloop;

import io.netty.util.concurrent.FastThreadLocalThread;
import io.rpcboot.internal.context.TaskThread;
import org.jspecify.annotations.Nullable;

/** A thread of an event loop. Blocking code recognizes it by its class. */
public class EventLoopThread extends FastThreadLocalThread implements TaskThread {

	private static final int CHUNK = 64 * 1024;

	/** Buffer that the decoders of this thread share. */
	private final byte[] chunk = new byte[CHUNK];

	private final LoopHeartbeat pulse = new LoopHeartbeat();

	private @Nullable Runnable running;

	private @Nullable Object carried;

	@SuppressWarnings("this-escape")
	public EventLoopThread(Runnable target, String name) {
		super(target, name);
		setDaemon(true);
	}

	/**
	 * Runs a task as the current task of the calling thread.
	 * @param task returned by {@link #task()} meanwhile
	 */
	public static void run(Runnable task) {
		if (Thread.currentThread() instanceof EventLoopThread loop) {
			loop.running = task;
			try {
				task.run();
			}
			finally {
				loop.running = null;
			}
		}
		else {
			task.run();
		}
	}

	@Override
	public final @Nullable Runnable task() {
		return this.running;
	}

	@Override
	public final @Nullable Object carried() {
		return this.carried;
	}

	@Override
	public final void carry(@Nullable Object object) {
		this.carried = object;
	}

	/** Returns the heartbeat of the calling event loop, or one that never beats. */
	public static LoopHeartbeat pulse() {
		return (Thread.currentThread() instanceof EventLoopThread loop) ? loop.pulse : new LoopHeartbeat();
	}

	/** Returns the decode buffer of the calling event loop, or a new one. */
	public static byte[] chunk() {
		return (Thread.currentThread() instanceof EventLoopThread loop) ? loop.chunk : new byte[CHUNK];
	}

}
