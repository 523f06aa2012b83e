package io.rpcboot.dashboard.browser.shop;

import io.rpcboot.RpcMethod;

/** What is there. */
public interface StockService {

	@RpcMethod(idempotent = true)
	int available(String article);

	boolean reserve(String article, int amount);

}
