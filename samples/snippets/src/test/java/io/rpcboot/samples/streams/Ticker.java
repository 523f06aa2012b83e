package io.rpcboot.samples.streams;

import java.util.List;

import io.rpcboot.samples.streams.Quotes.Quote;
import io.rpcboot.spring.RpcReference;

import org.springframework.stereotype.Component;

@Component
class Ticker {

	private final Quotes quotes;

	Ticker(@RpcReference Quotes quotes) {
		this.quotes = quotes;
	}

	List<Quote> first(String symbol, int count) {
		return this.quotes.quotes(symbol).take(count).collectList().block();
	}

}
