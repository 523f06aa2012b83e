package io.rpcboot.test.matrix;

import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcMethod;
import io.rpcboot.context.RpcContext;
import org.jspecify.annotations.Nullable;

/** One method of each style; all of them do the same. */
public interface Probe {

	String ask(String what, @Nullable RpcContext call);

	CompletableFuture<String> askLater(String what, @Nullable RpcContext call);

	@RpcMethod(oneWay = true)
	void tell(String what, @Nullable RpcContext call);

}
