package io.rpcboot.internal.server.services;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.server.services.ServiceContract.Binding;
import io.rpcboot.serialization.contract.ContractHash;
import org.jspecify.annotations.Nullable;

/**
 * Cache of bindings, computed from the contracts of clients, so that a contract is sent
 * and parsed once and not by each connection. Unused bindings are evicted least recently
 * used first; bindings in use are shared, counted by connection and have a bound of their
 * own. Both are reserved in the memory budget, BYTES_OF_CHAR for each character of the
 * contract. Thread-safe.
 */
public final class ContractCache {

	/**
	 * Maximum of unused contracts in characters; one has some thousand, 100 per field.
	 */
	private static final long MAX_CHARS = 8 * 1024 * 1024;

	/** Maximum of contracts in use, in characters. */
	public static final long MAX_USED_CHARS = 16 * 1024 * 1024;

	/** Bytes of a binding for each character of its contract. */
	private static final long BYTES_OF_CHAR = 20;

	/** Divisor of the memory budget for unused bindings. */
	private static final long SHARE_OF_BUDGET = 16;

	private final MemoryBudget budget;

	private final long maxChars;

	private final Map<Key, Binding> bindings = new LinkedHashMap<>(16, 0.75f, true);

	private final Map<Key, Use> used = new HashMap<>();

	private long chars;

	private long usedChars;

	ContractCache(MemoryBudget budget) {
		this.budget = budget;
		this.maxChars = Math.min(MAX_CHARS, budget.usable() / SHARE_OF_BUDGET / BYTES_OF_CHAR);
	}

	private record Key(ServiceContract offered, ContractHash client) {
	}

	/** Binding and the number of connections that use it. */
	private record Use(Binding binding, int count) {
	}

	synchronized @Nullable Binding get(ServiceContract offered, ContractHash client) {
		Key key = new Key(offered, client);
		Binding known = this.bindings.get(key);
		if (known != null) {
			return known;
		}
		Use use = this.used.get(key);
		return (use != null) ? use.binding : null;
	}

	/** Adds a binding; returns the cached one if there is one already. */
	synchronized Binding add(ServiceContract offered, ContractHash client, Binding binding) {
		Binding known = get(offered, client);
		if (known != null) {
			return known;
		}
		this.bindings.put(new Key(offered, client), binding);
		this.chars += binding.chars();
		this.budget.overdraw(Direction.INCOMING, bytes(binding));
		Iterator<Binding> eldest = this.bindings.values().iterator();
		while (this.chars > this.maxChars) {
			Binding last = eldest.next();
			this.chars -= last.chars();
			this.budget.release(Direction.INCOMING, bytes(last));
			eldest.remove();
		}
		return binding;
	}

	/**
	 * Uses a binding for a connection, until {@link #release}.
	 * @return the shared binding, or null if the bindings in use reach their bound
	 */
	synchronized @Nullable Binding use(ServiceContract offered, ContractHash client, Binding binding) {
		Key key = new Key(offered, client);
		Use known = this.used.get(key);
		if (known == null && (this.usedChars + binding.chars() > MAX_USED_CHARS
				|| !this.budget.tryReserveAtOnce(Direction.INCOMING, bytes(binding)))) {
			return null;
		}
		Use use = (known != null) ? new Use(known.binding, known.count + 1) : new Use(binding, 1);
		this.usedChars += (known != null) ? 0 : binding.chars();
		this.used.put(key, use);
		return use.binding;
	}

	/** Releases a binding, once for each {@link #use} that returned one. */
	synchronized void release(ServiceContract offered, ContractHash client) {
		Key key = new Key(offered, client);
		Use known = this.used.remove(key);
		if (known == null) {
			return;
		}
		if (known.count > 1) {
			this.used.put(key, new Use(known.binding, known.count - 1));
			return;
		}
		this.usedChars -= known.binding.chars();
		this.budget.release(Direction.INCOMING, bytes(known.binding));
	}

	private static long bytes(Binding binding) {
		return binding.chars() * BYTES_OF_CHAR;
	}

}
