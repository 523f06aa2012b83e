package io.rpcboot.samples.quickstart.consumer;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.rpcboot.samples.quickstart.api.OrderService;
import io.rpcboot.spring.RpcReference;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/** Calls of shoppers. Failures are thrown to the caller. */
@Component
@ConditionalOnProperty("quickstart.show")
public class OrderCalls {

	private static final int MOST_PENDING = 4_000;

	private static final long TAKES_LONG_NANOS = Duration.ofMillis(100).toNanos();

	private static final String DOCUMENT = "tea ".repeat(25_600);

	private final OrderService orders;

	private final AtomicLong calls = new AtomicLong();

	private final Semaphore permits = new Semaphore(MOST_PENDING);

	OrderCalls(@RpcReference OrderService orders) {
		this.orders = orders;
	}

	/** Makes the calls of one shopper: looks, queries the stock, orders. */
	public void shop() {
		long call = this.calls.incrementAndGet();
		this.orders.looked("tea");
		this.orders.stock("tea").join();
		if (call % 4 == 0) {
			this.orders.place("tea", 1);
		}
	}

	/** Orders an unknown article. */
	public void orderTheUnknown() {
		this.orders.place("no article", 1);
	}

	/** Queries the stock of an unknown article. */
	public void askForTheUnknown() {
		this.orders.stock("no article").join();
	}

	/** Queries the stock and waits for the result. */
	public void askAndWait() {
		this.orders.stock("tea").join();
	}

	/** Requests a buyer, whom the provider cannot serialize. */
	public void askForOddBuyer() {
		this.orders.buyer(1);
	}

	/**
	 * Requests a report.
	 * @param days number of days, each takes 50 ms
	 */
	public void report(int days) {
		this.orders.report(days);
	}

	/** Archives a document of 100 KB. */
	public void archive() {
		this.orders.archive(DOCUMENT);
	}

	/**
	 * Queries the stock without waiting for the result, with at most 4,000 pending calls.
	 * @throws InterruptedException if this thread is interrupted
	 */
	public void ask() throws InterruptedException {
		this.permits.acquire();
		try {
			this.orders.stock("tea").whenComplete((number, failure) -> this.permits.release());
		}
		catch (RuntimeException ex) {
			this.permits.release();
			throw ex;
		}
	}

	/** Queries the stock, and blocks the thread that completes the call for 100 ms. */
	public void askAndTakeLong() {
		this.orders.stock("tea").thenRun(() -> LockSupport.parkNanos(TAKES_LONG_NANOS)).join();
	}

}
