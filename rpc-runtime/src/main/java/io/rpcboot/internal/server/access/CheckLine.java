package io.rpcboot.internal.server.access;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.rpcboot.context.CallerIdentity;
import io.rpcboot.internal.net.ClientNetwork;
import io.rpcboot.internal.net.Turns;

/**
 * Checks of credentials that wait for a thread. Three lanes take turns: credentials that
 * connections use, those of networks with a check that found valid ones lately, and
 * others; in a lane networks take turns. Checks that strangers can cause are bounded, in
 * all and by network; of those in use there is one for each connection. Any thread.
 */
final class CheckLine {

	/** Maximum of checks that wait or run, beside the first one of a network. */
	private static final int MAX_CHECKS = 256;

	/** The same for one network of clients. */
	private static final int MAX_CHECKS_OF_NETWORK = 16;

	/** Maximum of networks with checks, and of networks that are remembered. */
	private static final int MAX_NETWORKS = 4096;

	private static final String IN_USE = "in use";

	private final Executor threads;

	/** Checks that wait or run; guarded by itself, as all that follows. */
	private final Map<ByteBuffer, CompletableFuture<CallerIdentity>> checks = new LinkedHashMap<>();

	/** The same of credentials in use. */
	private final Map<ByteBuffer, CompletableFuture<CallerIdentity>> checksInUse = new LinkedHashMap<>();

	/** Number of checks by network, without those of credentials in use. */
	private final Map<String, Integer> networks = new LinkedHashMap<>();

	/** Networks whose credentials were valid; the least recent ones make room. */
	private final Map<String, Boolean> known = new LinkedHashMap<>(16, 0.75f, true) {

		@Override
		protected boolean removeEldestEntry(Entry<String, Boolean> eldest) {
			return size() > MAX_NETWORKS;
		}

	};

	private final Turns<Runnable> turns = new Turns<>();

	/**
	 * Creates a line.
	 * @param threads run the checks
	 */
	CheckLine(Executor threads) {
		this.threads = threads;
	}

	/**
	 * Adds a check, unless there is one of the same credentials.
	 * @param network network of the client
	 * @param inUse true if the connection uses the credentials
	 * @param check finds the identity, or throws; on a thread of the line
	 * @return the identity; null if too many checks wait
	 */
	@Nullable CompletableFuture<CallerIdentity> add(ByteBuffer key, String network, boolean inUse,
			Supplier<CallerIdentity> check) {
		CompletableFuture<CallerIdentity> result = new CompletableFuture<>();
		synchronized (this.checks) {
			Map<ByteBuffer, CompletableFuture<CallerIdentity>> lane = inUse ? this.checksInUse : this.checks;
			CompletableFuture<CallerIdentity> other = lane.get(key);
			if (other != null) {
				return other;
			}
			if (!inUse && !admits(network)) {
				return null;
			}
			lane.put(key, result);
			List<String> path = new ArrayList<>();
			path.add(inUse ? IN_USE : String.valueOf(this.known.containsKey(network)));
			path.addAll(ClientNetwork.turns(network));
			this.turns.add(path, () -> run(key, network, inUse, check, result));
		}
		this.threads.execute(this::runNext);
		return result;
	}

	/** Counts a check of a network, unless that has too many. */
	private boolean admits(String network) {
		int before = this.networks.getOrDefault(network, 0);
		boolean isFree = (before == 0) ? this.networks.size() < MAX_NETWORKS
				: before < MAX_CHECKS_OF_NETWORK && this.checks.size() < MAX_CHECKS;
		if (isFree) {
			this.networks.put(network, before + 1);
		}
		return isFree;
	}

	/** Runs the check whose turn it is. */
	private void runNext() {
		Runnable next;
		synchronized (this.checks) {
			next = Objects.requireNonNull(this.turns.next());
		}
		next.run();
	}

	private void run(ByteBuffer key, String network, boolean inUse, Supplier<CallerIdentity> check,
			CompletableFuture<CallerIdentity> result) {
		CallerIdentity identity = null;
		Throwable failure = null;
		try {
			identity = check.get();
		}
		catch (Throwable ex) {
			failure = ex;
		}
		synchronized (this.checks) {
			if (inUse) {
				this.checksInUse.remove(key);
			}
			else {
				this.checks.remove(key);
				this.networks.computeIfPresent(network, (any, count) -> (count > 1) ? count - 1 : null);
			}
			if (identity != null && identity.isAuthenticated()) {
				this.known.put(network, true);
			}
		}
		if (failure != null) {
			result.completeExceptionally(failure);
		}
		else {
			result.complete(identity);
		}
	}

}
