package io.rpcboot.test.context;

import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.RpcContext;
import io.rpcboot.spring.RpcService;

@RpcService
class InvoiceService implements Invoices {

	/** Calls that fail before one succeeds. */
	final AtomicInteger failures = new AtomicInteger();

	@Override
	public String find(long number) {
		if (this.failures.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) {
			throw new RpcException(RpcStatus.UNAVAILABLE, "the database is away", true);
		}
		RpcContext call = RpcContext.current();
		String tenant = call.attachments().get("tenant");
		call.replyAttachments().put("source", "archive");
		return "invoice %d of %s".formatted(number, tenant);
	}

	@Override
	public CompletableFuture<String> findLater(long number) {
		return CompletableFuture.completedFuture(find(number));
	}

	@Override
	public String print(long number, RpcContext call) {
		StringBuilder pages = new StringBuilder();
		for (int page = 1; page <= 3; page++) {
			if (call.isCancelled()) {
				return "";
			}
			pages.append("page ").append(page).append(' ');
		}
		return pages.toString().strip();
	}

	@Override
	public String fail(String how) {
		throw switch (how) {
			case "missing" -> new NoSuchElementException("row 7");
			case "denied" -> new SecurityException("not yours");
			case "declared" -> new ArithmeticException("sum");
			default -> new IllegalStateException(how);
		};
	}

	@Override
	public CompletableFuture<String> failLater(String how) {
		return CompletableFuture.supplyAsync(() -> fail(how));
	}

	@Override
	public long millisLeft() {
		return RpcContext.current().remaining().toMillis();
	}

}
