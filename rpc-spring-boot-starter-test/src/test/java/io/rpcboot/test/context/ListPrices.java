package io.rpcboot.test.context;

import org.springframework.stereotype.Component;

@Component
class ListPrices implements Prices {

	@Override
	public String of(String article) {
		return "list price of " + article;
	}

}
