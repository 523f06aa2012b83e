package io.rpcboot.samples.streams;

import java.math.BigDecimal;

import reactor.core.publisher.Flux;

public interface Quotes {

	Flux<Quote> quotes(String symbol);

	record Quote(String symbol, BigDecimal price) {
	}

}
