package io.rpcboot.test.guarded;

import java.util.concurrent.CompletableFuture;

public interface Orders {

	String find(long id);

	String cancel(long id);

	CompletableFuture<String> refund(long id);

	/** Returns the name of the caller, as the method sees it. */
	String caller();

}
