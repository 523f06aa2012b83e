package io.rpcboot.dashboard.browser.shop;

import java.util.List;

import org.springframework.boot.WebApplicationType;

/** One of the applications. */
public enum Application {

	/** Found through ZooKeeper, twice. */
	STOCK("stock", Stock.class), OTHER_STOCK("stock", Stock.class),

	/** Called at fixed addresses, twice. */
	PAYMENT("payment", Payments.class), OTHER_PAYMENT("payment", Payments.class),

	/** Offers and calls, and has the page. */
	ORDERS("orders", Orders.class),

	/** Where customers are. */
	WEB("shop-web", Customers.class);

	private final String label;

	private final Class<?> bean;

	Application(String label, Class<?> bean) {
		this.label = label;
		this.bean = bean;
	}

	/** Its name, as others see it. */
	public String label() {
		return this.label;
	}

	Class<?> bean() {
		return this.bean;
	}

	WebApplicationType web() {
		return (this == ORDERS) ? WebApplicationType.SERVLET : WebApplicationType.NONE;
	}

	/** Whether it offers its service to those who ask the registry. */
	boolean isRegistered() {
		return !List.of(PAYMENT, OTHER_PAYMENT).contains(this);
	}

}
