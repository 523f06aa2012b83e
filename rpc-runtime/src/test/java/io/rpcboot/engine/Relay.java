package io.rpcboot.engine;

import java.util.concurrent.CompletableFuture;

/** A service that calls another of its kind, which calls the first, and so on. */
public interface Relay {

	/** Blocks in each handler. Returns the number of calls made. */
	int hand(int further);

	/** Blocks nowhere. */
	CompletableFuture<Integer> handLater(int further);

}
