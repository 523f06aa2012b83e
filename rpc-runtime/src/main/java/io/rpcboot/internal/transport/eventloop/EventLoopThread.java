package io.rpcboot.internal.transport.eventloop;

import io.netty.util.concurrent.FastThreadLocalThread;
import io.rpcboot.internal.context.TaskThread;
import org.jspecify.annotations.Nullable;

/** A thread of an event loop: known by its class, so that nothing blocks it. */
public class EventLoopThread extends FastThreadLocalThread implements TaskThread {

	private static final int CHUNK = 64 * 1024;

	private final byte[] chunk = new byte[CHUNK];

	private final LoopHeartbeat pulse = new LoopHeartbeat();

	private @Nullable Runnable running;

	public EventLoopThread(Runnable target, String name) {
		super(target, name);
		setDaemon(true);
	}

	/**
	 * Run a task of which what it calls may want to know.
	 * @param task given by {@link #task()} meanwhile
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

	/** That of the calling thread's loop; on any other thread one that does not beat. */
	public static LoopHeartbeat pulse() {
		return (Thread.currentThread() instanceof EventLoopThread loop) ? loop.pulse : new LoopHeartbeat();
	}

	/** Where the decoders of the calling thread look at what they have read. */
	public static byte[] chunk() {
		return (Thread.currentThread() instanceof EventLoopThread loop) ? loop.chunk : new byte[CHUNK];
	}

}
