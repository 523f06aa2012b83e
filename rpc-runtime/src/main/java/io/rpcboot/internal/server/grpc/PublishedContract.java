package io.rpcboot.internal.server.grpc;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

import io.rpcboot.internal.server.builtin.ContractHandler;
import io.rpcboot.internal.serialization.protobuf.ProtoContract;
import io.rpcboot.serialization.contract.Contract;
import org.jspecify.annotations.Nullable;

/**
 * Contract of a service over gRPC. It is made when a client first tells one, because most
 * servers are never asked. Remembers nothing of the contracts of clients: those with
 * another one compare it with this one, and tell its hash beside their own from then on.
 * Thread-safe.
 */
public final class PublishedContract {

	/** Contract of a service that no interface declares: it fits each client. */
	static final PublishedContract ANY = new PublishedContract(null);

	/** No part of the hashes that a client tells. */
	private static final String UNKNOWN = ".";

	/** Null for a contract that fits each client. */
	private final @Nullable Supplier<Contract> maker;

	/** Hash of all methods; part of each text if there is nothing to compare. */
	private volatile String hash;

	/** Hash of the methods with streams, which a native reference calls over HTTP/2. */
	private volatile String hashOfStreams = UNKNOWN;

	private volatile byte @Nullable [] response;

	PublishedContract(@Nullable Supplier<Contract> maker) {
		this.maker = maker;
		this.hash = (maker != null) ? UNKNOWN : "";
	}

	/**
	 * Returns true if the hash of this contract is known and among those that a client
	 * tells: its own, and those that it has compared with it.
	 */
	public boolean isAmong(String told) {
		return told.contains(this.hash) || told.contains(this.hashOfStreams);
	}

	/** Returns the hash of all methods, once it is known. */
	public String hash() {
		return this.hash;
	}

	/**
	 * Runs a task once the hash is known: at once, or by another thread.
	 * @param threads makes the contract, which may take some milliseconds
	 */
	public void whenKnown(Executor threads, Runnable task) {
		if (!this.hash.equals(UNKNOWN)) {
			task.run();
			return;
		}
		try {
			threads.execute(() -> {
				try {
					make();
				}
				finally {
					task.run();
				}
			});
		}
		catch (RejectedExecutionException ex) { // the server is closed
			task.run();
		}
	}

	private synchronized void make() {
		if (this.maker == null || !this.hash.equals(UNKNOWN)) {
			return;
		}
		String known = ""; // a contract that cannot be made fits: the calls tell why
		try {
			Contract made = this.maker.get();
			if (!made.methods().isEmpty()) {
				this.response = ContractHandler.response(made.text());
				this.hashOfStreams = ProtoContract.streamsOf(made).hash().toString();
				known = made.hash().toString();
			}
		}
		finally {
			this.hash = known;
		}
	}

	/** Returns the response that tells the contract; null if it is not known. */
	byte @Nullable [] response() {
		return this.response;
	}

}
