package io.rpcboot.internal.client.call;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcException;
import io.rpcboot.internal.logging.RateLimitedLogger;

/**
 * The one-way calls of a client that failed before the socket had taken them. Nobody else
 * learns of them. Any thread.
 */
public final class LostOneWayCalls {

	private final RateLimitedLogger log = new RateLimitedLogger("rpc.client", System::nanoTime);

	private final LongAdder count = new LongAdder();

	/** A call was lost. */
	void add(MethodDescriptor method, RpcException why) {
		this.count.increment();
		this.log.warn("One-way call lost", List.of(method, why.status()), () -> String.valueOf(why.getMessage()), null);
	}

	/** Calls lost so far. */
	public long count() {
		return this.count.sum();
	}

}
