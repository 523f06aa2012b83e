package io.rpcboot.test.shop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.spring.RpcService;

@RpcService
class StockService implements Stock {

	private final AtomicInteger calls = new AtomicInteger();

	public int calls() {
		return this.calls.get();
	}

	@Override
	public int available(String article) {
		this.calls.incrementAndGet();
		return article.length();
	}

	@Override
	public CompletableFuture<Integer> availableLater(String article) {
		return CompletableFuture.completedFuture(available(article));
	}

}
