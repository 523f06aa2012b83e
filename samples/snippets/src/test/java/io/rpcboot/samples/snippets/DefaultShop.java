package io.rpcboot.samples.snippets;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Currency;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.rpcboot.context.RpcContext;
import io.rpcboot.resilience.RetryAdvice;
import io.rpcboot.samples.snippets.Shop.Articles;
import io.rpcboot.samples.snippets.Shop.Orders;
import io.rpcboot.samples.snippets.Shop.Price;
import io.rpcboot.samples.snippets.Shop.Prices;
import io.rpcboot.spring.RpcService;

@RpcService(interfaces = { Shop.class, Orders.class, Articles.class, Prices.class, Drawings.class })
class DefaultShop implements Shop, Orders, Articles, Prices, Drawings {

	final AtomicInteger questions = new AtomicInteger();

	final AtomicLong found = new AtomicLong();

	final AtomicReference<String> key = new AtomicReference<>();

	@Override
	public Order order(Order order) {
		return order;
	}

	@Override
	public Money rounded(Money amount) {
		return amount;
	}

	@Override
	public String anything() {
		this.key.set(RpcContext.current().attachments().get("route-key"));
		return "anything";
	}

	@Override
	public String leader() {
		if (this.questions.getAndIncrement() > 0) {
			return "elected";
		}
		RetryAdvice.notBefore(RpcContext.current().replyAttachments(), Duration.ofMillis(200));
		throw new IllegalStateException("the leader is being elected");
	}

	@Override
	public Item find(long id) {
		this.found.set(id);
		return new Item("tea", 1);
	}

	@Override
	public Price price(String article) {
		return new Price(new BigDecimal(article.length()));
	}

	@Override
	public Price price(String article, Currency currency) {
		return price(article + currency);
	}

	@Override
	public Payment pay(Payment payment) {
		return payment;
	}

	@Override
	public Shape draw(Shape shape) {
		return shape;
	}

}
