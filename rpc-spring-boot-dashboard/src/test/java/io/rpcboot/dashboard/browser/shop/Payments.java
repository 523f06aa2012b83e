package io.rpcboot.dashboard.browser.shop;

import io.rpcboot.spring.RpcService;

/** Slow, as such things are. */
@RpcService
class Payments implements PaymentService {

	private static final int SLOW = 30;

	private final Bank bank;

	Payments(Bank bank) {
		this.bank = bank;
	}

	@Override
	public String charge(String customer, int cents) {
		Pause.of((cents % SLOW == 0) ? 150 : 8 + cents % 7);
		return customer + " paid";
	}

	@Override
	public void settle() {
		this.bank.await();
	}

}
