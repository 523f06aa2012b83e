package io.rpcboot.samples.streams;

import java.math.BigDecimal;
import java.time.Duration;

import io.rpcboot.spring.RpcService;
import reactor.core.publisher.Flux;

@RpcService
class DefaultQuotes implements Quotes {

	@Override
	public Flux<Quote> quotes(String symbol) {
		return Flux.interval(Duration.ofMillis(10)).map((tick) -> new Quote(symbol, BigDecimal.valueOf(tick)));
	}

}
