package io.rpcboot.samples.quickstart.provider;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.rpcboot.samples.quickstart.api.OrderService;
import io.rpcboot.samples.quickstart.api.User;
import io.rpcboot.spring.RpcService;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;

/** Order service without a shop. */
@RpcService
@ConditionalOnProperty("quickstart.show")
class OrderServiceImpl implements OrderService {

	private static final long A_DAY_NANOS = Duration.ofMillis(50).toNanos();

	private static final long ARCHIVE_NANOS = Duration.ofSeconds(1).toNanos();

	private final AtomicLong orders = new AtomicLong();

	private final AtomicLong looks = new AtomicLong();

	private final Sickness sickness;

	OrderServiceImpl(Sickness sickness) {
		this.sickness = sickness;
	}

	@Override
	public long place(String article, int quantity) {
		requireKnown(article);
		return this.orders.incrementAndGet();
	}

	private static void requireKnown(String article) {
		if (article.startsWith("no ")) {
			throw new IllegalStateException("unknown article: " + article);
		}
	}

	@Override
	public CompletableFuture<Integer> stock(String article) {
		this.sickness.failIfSick();
		requireKnown(article);
		return CompletableFuture.completedFuture(article.length());
	}

	@Override
	public List<String> report(int days) {
		pass(days * A_DAY_NANOS);
		return IntStream.range(0, days).mapToObj((day) -> "day %d: %s".formatted(day, this)).toList();
	}

	@Override
	public User buyer(long order) {
		return new Buyer();
	}

	@Override
	public int archive(String document) {
		pass(ARCHIVE_NANOS);
		return document.length();
	}

	@Override
	public void looked(String article) {
		this.looks.incrementAndGet();
	}

	private static void pass(long nanos) {
		long end = System.nanoTime() + nanos;
		for (long left = nanos; left > 0; left = end - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
	}

	@Override
	public String toString() {
		return "%d orders, %d looks".formatted(this.orders.get(), this.looks.get());
	}

	private static final class Buyer extends User {

	}

}
