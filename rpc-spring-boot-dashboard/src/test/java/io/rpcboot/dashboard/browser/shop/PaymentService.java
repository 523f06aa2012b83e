package io.rpcboot.dashboard.browser.shop;

import io.rpcboot.RpcMethod;

/** Who pays. */
public interface PaymentService {

	/** One in thirty takes longer than its caller waits. */
	@RpcMethod(timeout = "90ms")
	String charge(String customer, int cents);

	/** Takes until the bank is open. */
	@RpcMethod(timeout = "5m")
	void settle();

}
