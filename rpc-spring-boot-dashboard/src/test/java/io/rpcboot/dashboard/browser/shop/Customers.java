package io.rpcboot.dashboard.browser.shop;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.spring.RpcReference;

/** Threads that look, order and sometimes want a report, until they are sent home. */
public final class Customers {

	private static final double WAVE_NANOS = 70e9;

	private final OrderService orders;

	private final AtomicLong visits = new AtomicLong();

	private final List<Thread> threads = new ArrayList<>();

	private volatile boolean isOpen;

	Customers(@RpcReference OrderService orders) {
		this.orders = orders;
	}

	/** What they call. */
	public OrderService orders() {
		return this.orders;
	}

	/**
	 * Let some in. Their visits become more and fewer, as in a shop.
	 * @param many how many
	 * @param pauseMillis of each between two visits
	 */
	public void enter(int many, double pauseMillis) {
		this.isOpen = true;
		for (int i = 0; i < many; i++) {
			Thread thread = new Thread(() -> visitAgainAndAgain(pauseMillis), "customer-" + i);
			thread.setDaemon(true);
			thread.start();
			this.threads.add(thread);
		}
	}

	private void visitAgainAndAgain(double pauseMillis) {
		while (this.isOpen) {
			try {
				visit(this.visits.incrementAndGet());
			}
			catch (RuntimeException ex) {
				// the page says so
			}
			Pause.of(pauseMillis * (1 + 0.4 * Math.sin(System.nanoTime() / WAVE_NANOS)));
		}
	}

	private void visit(long visit) {
		this.orders.find(visit);
		if (visit % 3 == 0) {
			this.orders.list("customer " + visit);
		}
		if (visit % 8 == 0) {
			this.orders.place(new Order("customer " + visit, "tea", (visit % 200 == 0) ? 10 : 1));
		}
		if (visit % 500 == 0) {
			this.orders.report((int) (visit / 500 % 12));
		}
	}

	/** Send all home, and wait until they are. */
	public void leave() {
		this.isOpen = false;
		try {
			for (Thread thread : this.threads) {
				thread.join();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.threads.clear();
	}

}
