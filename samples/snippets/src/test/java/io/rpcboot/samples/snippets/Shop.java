package io.rpcboot.samples.snippets;

import java.math.BigDecimal;
import java.util.Currency;

import io.rpcboot.RpcMethod;
import io.rpcboot.RpcRouteKey;

/** A contract. */
public interface Shop {

	Order order(Order order);

	Money rounded(Money amount);

	String anything();

	@RpcMethod(idempotent = true)
	String leader();

	/** Calls with a tag. */
	interface Orders {

		Item find(long id);

	}

	/** Calls that may be sent twice. */
	interface Articles {

		@RpcMethod(idempotent = true, hedged = true)
		Price price(String article);

	}

	/** Calls with a key. */
	interface Prices {

		Price price(@RpcRouteKey String article, Currency currency);

	}

	record Price(BigDecimal amount) {

	}

}
