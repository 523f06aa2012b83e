package io.rpcboot.test.context;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import io.rpcboot.context.CallOptions;
import io.rpcboot.spring.RpcReference;

import org.springframework.stereotype.Component;

@Component
class InvoiceClient {

	@RpcReference(name = "invoices")
	private Invoices invoices;

	@RpcReference(fallback = ListPrices.class)
	private Prices prices;

	String find(long number) throws Exception {
		return CallOptions.with("language", "de").timeout(Duration.ofSeconds(3)).call(() -> this.invoices.find(number));
	}

	String source(long number) {
		AtomicReference<String> source = new AtomicReference<>();
		CallOptions.none().onReply((reply) -> source.set(reply.get("source"))).run(() -> this.invoices.find(number));
		return source.get();
	}

	CompletableFuture<String> findAfter(long first, long second) {
		return this.invoices.findLater(first).thenCompose((found) -> this.invoices.findLater(second));
	}

	Prices prices() {
		return this.prices;
	}

	Invoices invoices() {
		return this.invoices;
	}

}
