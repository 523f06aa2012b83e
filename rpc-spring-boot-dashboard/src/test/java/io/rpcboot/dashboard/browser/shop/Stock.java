package io.rpcboot.dashboard.browser.shop;

import io.rpcboot.spring.RpcService;

/** Has nearly everything. */
@RpcService
class Stock implements StockService {

	@Override
	public int available(String article) {
		return article.length();
	}

	@Override
	public boolean reserve(String article, int amount) {
		Pause.of(1.5);
		return amount < 10;
	}

}
