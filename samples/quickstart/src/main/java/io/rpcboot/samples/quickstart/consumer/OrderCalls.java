package io.rpcboot.samples.quickstart.consumer;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.rpcboot.samples.quickstart.api.OrderService;
import io.rpcboot.spring.RpcReference;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/** Calls of shoppers; what fails is thrown to who calls. */
@Component
@ConditionalOnProperty("quickstart.show")
public class OrderCalls {

	private static final int MOST_PENDING = 4_000;

	private static final long TAKES_LONG_NANOS = Duration.ofMillis(100).toNanos();

	private static final String DOCUMENT = "tea ".repeat(25_600);

	private final OrderService orders;

	private final AtomicLong calls = new AtomicLong();

	private final Semaphore room = new Semaphore(MOST_PENDING);

	OrderCalls(@RpcReference OrderService orders) {
		this.orders = orders;
	}

	/** What one shopper does: look, ask, buy. */
	public void shop() {
		long call = this.calls.incrementAndGet();
		this.orders.looked("tea");
		this.orders.stock("tea").join();
		if (call % 4 == 0) {
			this.orders.place("tea", 1);
		}
	}

	/** Order what the implementation does not know. */
	public void orderTheUnknown() {
		this.orders.place("no article", 1);
	}

	/** Ask for what the implementation does not know. */
	public void askForTheUnknown() {
		this.orders.stock("no article").join();
	}

	/** Ask, and wait for the answer. */
	public void askAndWait() {
		this.orders.stock("tea").join();
	}

	/** Ask for what the provider cannot write. */
	public void askForOddBuyer() {
		this.orders.buyer(1);
	}

	/**
	 * Ask for a report.
	 * @param days of which each takes 50 ms
	 */
	public void report(int days) {
		this.orders.report(days);
	}

	/** Archive a document of 100 KB. */
	public void archive() {
		this.orders.archive(DOCUMENT);
	}

	/**
	 * Ask without waiting for the answer, until 4,000 answers are missing.
	 * @throws InterruptedException if this thread is interrupted
	 */
	public void ask() throws InterruptedException {
		this.room.acquire();
		try {
			this.orders.stock("tea").whenComplete((number, failure) -> this.room.release());
		}
		catch (RuntimeException ex) {
			this.room.release();
			throw ex;
		}
	}

	/** Ask, and take long to use the answer, on the thread that brings it. */
	public void askAndTakeLong() {
		this.orders.stock("tea").thenRun(() -> LockSupport.parkNanos(TAKES_LONG_NANOS)).join();
	}

}
