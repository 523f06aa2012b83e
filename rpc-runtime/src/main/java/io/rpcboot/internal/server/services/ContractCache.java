package io.rpcboot.internal.server.services;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.internal.limit.Shares;
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
	private static final long MAX_USED_CHARS = 16 * 1024 * 1024;

	/** Divisor of the inbound part of the memory budget for contracts in use. */
	private static final long USED_SHARE_OF_BUDGET = 3;

	/** Bytes of a binding for each character of its contract. */
	private static final long BYTES_OF_CHAR = 20;

	/** Divisor of the memory budget for unused bindings. */
	private static final long SHARE_OF_BUDGET = 16;

	private final MemoryBudget budget;

	private final long maxChars;

	private final long maxUsedChars;

	/** Characters of the contracts in use, by the address that introduced them. */
	private final Map<String, Long> usedByAddress = new HashMap<>();

	private final Map<Key, Binding> bindings = new LinkedHashMap<>(16, 0.75f, true);

	private final Map<Key, Use> used = new HashMap<>();

	private long chars;

	private long usedChars;

	ContractCache(MemoryBudget budget) {
		this.budget = budget;
		this.maxUsedChars = Math.min(MAX_USED_CHARS, budget.mostOfOne() / USED_SHARE_OF_BUDGET / BYTES_OF_CHAR);
		this.maxChars = Math.min(MAX_CHARS, budget.usable() / SHARE_OF_BUDGET / BYTES_OF_CHAR);
	}

	private record Key(ServiceContract offered, ContractHash client) {
	}

	/**
	 * Connection that uses contracts. A contract counts for the connection that is the
	 * first to use it, and for the address of that connection.
	 */
	public static final class User {

		private final String address;

		/** Characters of the contracts in use that it introduced. */
		private long chars;

		/**
		 * Creates a user without contracts.
		 * @param address network of the client
		 */
		public User(String address) {
			this.address = address;
		}

	}

	/** Binding, the number of connections that use it, and the first of them. */
	private record Use(Binding binding, int count, User first) {
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
	 * Uses a binding for a connection, until {@link #release}. One connection may
	 * introduce half of the contracts in use, one address three quarters, so that a few
	 * clients leave room for others.
	 * @return the shared binding; one with a problem, not to be released, if the bindings
	 * in use reach a bound
	 */
	synchronized Binding use(ServiceContract offered, ContractHash client, Binding binding, User user) {
		Key key = new Key(offered, client);
		Use known = this.used.get(key);
		if (known != null) {
			this.used.put(key, new Use(known.binding, known.count + 1, known.first));
			return known.binding;
		}
		String problem = whyNot(binding, user);
		if (problem != null) {
			return new Binding(List.of(), Map.of(), problem, 0);
		}
		this.used.put(key, new Use(binding, 1, user));
		charge(user, binding.chars());
		return binding;
	}

	private @Nullable String whyNot(Binding binding, User user) {
		long chars = binding.chars();
		if (user.chars + chars > this.maxUsedChars / 2) {
			return tooMany("this connection", this.maxUsedChars / 2);
		}
		if (this.usedByAddress.getOrDefault(user.address, 0L) + chars > Shares.most(this.maxUsedChars)) {
			return tooMany("all connections of " + user.address, Shares.most(this.maxUsedChars));
		}
		if (this.usedChars + chars > this.maxUsedChars
				|| !this.budget.tryReserveAtOnce(Direction.INCOMING, bytes(binding))) {
			return tooMany("all connections", this.maxUsedChars);
		}
		return null;
	}

	private static String tooMany(String whose, long chars) {
		return "the tables of %s take more than %d characters, their share of rpc.server.memory.limit".formatted(whose,
				chars);
	}

	private void charge(User user, long chars) {
		this.usedChars += chars;
		user.chars += chars;
		this.usedByAddress.merge(user.address, chars, (one, other) -> (one + other != 0) ? one + other : null);
	}

	/** Returns the memory of the contracts in use that a connection introduced. */
	synchronized long usedBytes(User user) {
		return user.chars * BYTES_OF_CHAR;
	}

	/** Releases a binding, once for each {@link #use} that returned one. */
	synchronized void release(ServiceContract offered, ContractHash client) {
		Key key = new Key(offered, client);
		Use known = this.used.remove(key);
		if (known == null) {
			return;
		}
		if (known.count > 1) {
			this.used.put(key, new Use(known.binding, known.count - 1, known.first));
			return;
		}
		charge(known.first, -known.binding.chars());
		this.budget.release(Direction.INCOMING, bytes(known.binding));
	}

	private static long bytes(Binding binding) {
		return binding.chars() * BYTES_OF_CHAR;
	}

}
