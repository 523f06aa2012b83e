package io.rpcboot.dashboard.browser.shop;

import java.util.List;

import io.rpcboot.RpcMethod;

/** What customers ask for. */
public interface OrderService {

	/** Quick; asks nobody else. */
	Order find(long id);

	/** Asks the stock for each article. */
	List<Order> list(String customer);

	/** Asks the stock and lets the customer pay, which fails now and then. */
	String place(Order order);

	/** Fails for numbers below zero. Only tests call it, so that they know how often. */
	boolean cancel(long id);

	/** Takes a while. */
	long report(int month);

	/** Takes until the bank is open. */
	@RpcMethod(timeout = "5m")
	void settle();

}
