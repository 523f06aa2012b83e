package io.rpcboot.dashboard.browser.shop;

/** What is there. */
public interface StockService {

	int available(String article);

	boolean reserve(String article, int amount);

}
