package io.rpcboot.samples.snippets;

import java.math.BigDecimal;
import java.util.Currency;

/** Stands for the class of a library: final, and without a constructor to use. */
public final class Money {

	private final Currency currency;

	private final BigDecimal number;

	private Money(BigDecimal number, Currency currency) {
		this.number = number;
		this.currency = currency;
	}

	public static Money of(BigDecimal number, String currency) {
		return new Money(number, Currency.getInstance(currency));
	}

	public BigDecimal getNumberStripped() {
		return this.number.stripTrailingZeros();
	}

	public Currency getCurrency() {
		return this.currency;
	}

}
