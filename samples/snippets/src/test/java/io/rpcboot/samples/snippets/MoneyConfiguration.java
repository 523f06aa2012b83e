package io.rpcboot.samples.snippets;

import java.math.BigDecimal;

import io.rpcboot.serialization.Delegate;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
public class MoneyConfiguration {

	public record MoneyForm(BigDecimal amount, String currency) {

	}

	@Bean
	Delegate<Money, MoneyForm> money() {
		return new Delegate<>(Money.class, MoneyForm.class,
				(money) -> new MoneyForm(money.getNumberStripped(), money.getCurrency().getCurrencyCode()),
				(form) -> Money.of(form.amount(), form.currency()));
	}

}
