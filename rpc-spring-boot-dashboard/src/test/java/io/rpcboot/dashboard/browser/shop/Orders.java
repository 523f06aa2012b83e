package io.rpcboot.dashboard.browser.shop;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;

/** Asks others for most of what it is asked for. */
@RpcService
class Orders implements OrderService {

	private static final String[] ARTICLES = { "tea", "coffee", "sugar" };

	private final AtomicLong placed = new AtomicLong();

	private final StockService stock;

	private final PaymentService payments;

	Orders(@RpcReference StockService stock, @RpcReference(name = "payments") PaymentService payments) {
		this.stock = stock;
		this.payments = payments;
	}

	@Override
	public Order find(long id) {
		return new Order("customer " + id, ARTICLES[(int) (id % ARTICLES.length)], 1);
	}

	@Override
	public List<Order> list(String customer) {
		return Stream.of(ARTICLES)
			.map((article) -> new Order(customer, article, this.stock.available(article)))
			.toList();
	}

	@Override
	public String place(Order order) {
		if (!this.stock.reserve(order.article(), order.amount())) {
			throw new IllegalStateException("no " + order.article() + " left");
		}
		return this.payments.charge(order.customer(), (int) this.placed.incrementAndGet());
	}

	@Override
	public boolean cancel(long id) {
		if (id < 0) {
			throw new IllegalArgumentException("id: " + id + " (expected: 0 or more)");
		}
		return true;
	}

	@Override
	public long report(int month) {
		Pause.of(350 + month * 25);
		return this.placed.get();
	}

	@Override
	public void settle() {
		this.payments.settle();
	}

}
