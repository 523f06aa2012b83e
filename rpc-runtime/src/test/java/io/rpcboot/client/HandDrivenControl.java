package io.rpcboot.client;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A control thread that is the thread of a test: what others hand over runs when the test
 * says so, and what is scheduled never does by itself.
 */
public final class HandDrivenControl implements InvocationHandler {

	final ScheduledExecutorService executor = (ScheduledExecutorService) Proxy.newProxyInstance(
			HandDrivenControl.class.getClassLoader(), new Class<?>[] { ScheduledExecutorService.class }, this);

	private final Thread test = Thread.currentThread();

	/** What the test has handed over. */
	private final Queue<Runnable> own = new ArrayDeque<>();

	/** What other threads have handed over. */
	private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

	/** What waits for its time. */
	final List<Timer> timers = new ArrayList<>();

	/** What is to run again and again. */
	private final List<Runnable> repeated = new CopyOnWriteArrayList<>();

	/**
	 * Something that is scheduled.
	 *
	 * @param task what
	 * @param nanos after which time
	 */
	record Timer(Runnable task, long nanos) {
	}

	@Override
	public Object invoke(Object proxy, Method method, Object[] arguments) {
		switch (method.getName()) {
			case "execute" ->
				(Thread.currentThread() == this.test ? this.own : this.tasks).add((Runnable) arguments[0]);
			case "schedule" -> {
				return schedule((Runnable) arguments[0], ((TimeUnit) arguments[2]).toNanos((long) arguments[1]));
			}
			case "scheduleWithFixedDelay" -> {
				Runnable task = (Runnable) arguments[0];
				this.repeated.add(task);
				return future(() -> this.repeated.remove(task));
			}
			default -> throw new UnsupportedOperationException(method.getName());
		}
		return null;
	}

	private synchronized ScheduledFuture<?> schedule(Runnable task, long nanos) {
		Timer timer = new Timer(task, nanos);
		this.timers.add(timer);
		return future(() -> this.timers.remove(timer));
	}

	private static ScheduledFuture<?> future(Runnable cancel) {
		return (ScheduledFuture<?>) Proxy.newProxyInstance(HandDrivenControl.class.getClassLoader(),
				new Class<?>[] { ScheduledFuture.class }, (proxy, method, arguments) -> {
					if (!method.getName().equals("cancel")) {
						throw new UnsupportedOperationException(method.getName());
					}
					cancel.run();
					return true;
				});
	}

	/** Run the next task that another thread hands over, or has. */
	public void runNext() throws InterruptedException {
		Runnable task = this.tasks.poll(20, TimeUnit.SECONDS);
		assertThat(task).as("another thread hands something over").isNotNull();
		task.run();
		runOwn();
	}

	/** The time has come for all that runs again and again. */
	public void repeat() {
		this.repeated.forEach(Runnable::run);
		runOwn();
	}

	/** Run what the test has handed over. */
	public void runOwn() {
		for (Runnable task = this.own.poll(); task != null; task = this.own.poll()) {
			task.run();
		}
	}

	/** Whether another thread hands something over in a moment. */
	boolean hasNext() throws InterruptedException {
		Runnable task = this.tasks.poll(200, TimeUnit.MILLISECONDS);
		if (task != null) {
			this.tasks.add(task);
		}
		return task != null;
	}

}
