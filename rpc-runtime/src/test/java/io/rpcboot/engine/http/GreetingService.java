package io.rpcboot.engine.http;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

import io.rpcboot.RpcContract;

/** Interface of docs/http.md. */
@RpcContract(name = "demo.GreetingService")
public interface GreetingService {

	String greet(String name);

	Receipt order(Order order, List<String> notes) throws OutOfStock;

	record Order(String article, int pieces, BigDecimal price, LocalDate day) {
	}

	record Receipt(long number, Instant at, Map<String, Integer> stock) {
	}

}
