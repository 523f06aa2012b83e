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
 * What was computed from the tables of clients, so that a table is sent and looked at
 * once and not once for each connection. Entered in the account by their length; what was
 * used least recently goes first. What connections use stays as long as one of them
 * lives, is theirs together and has a bound of its own. Thread-safe.
 */
public final class ContractCache {

	/** A table takes some thousand characters, about a hundred for a field. */
	private static final long MAX_CHARS = 8 * 1024 * 1024;

	public static final long MAX_USED_CHARS = 16 * 1024 * 1024;

	/** A character of a table is up to about twenty bytes of what was computed. */
	private static final long BYTES_OF_CHAR = 20;

	/** Share of the account for tables that no connection uses. */
	private static final long SHARE_OF_ACCOUNT = 16;

	private final MemoryBudget account;

	private final long maxChars;

	private final Map<Key, Binding> bindings = new LinkedHashMap<>(16, 0.75f, true);

	private final Map<Key, Use> used = new HashMap<>();

	private long chars;

	private long usedChars;

	ContractCache(MemoryBudget account) {
		this.account = account;
		this.maxChars = Math.min(MAX_CHARS, account.usable() / SHARE_OF_ACCOUNT / BYTES_OF_CHAR);
	}

	private record Key(ServiceContract offered, ContractHash client) {
	}

	/** A binding and how many connections use it. */
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

	/** Returns the one that is kept: another if it was known already. */
	synchronized Binding add(ServiceContract offered, ContractHash client, Binding binding) {
		Binding known = get(offered, client);
		if (known != null) {
			return known;
		}
		this.bindings.put(new Key(offered, client), binding);
		this.chars += binding.chars();
		this.account.overdraw(Direction.INCOMING, bytes(binding));
		Iterator<Binding> eldest = this.bindings.values().iterator();
		while (this.chars > this.maxChars) {
			Binding last = eldest.next();
			this.chars -= last.chars();
			this.account.release(Direction.INCOMING, bytes(last));
			eldest.remove();
		}
		return binding;
	}

	/**
	 * A connection uses a binding until it releases it. Returns the one to be used,
	 * another if others use that; null if what all connections use is too long already.
	 */
	synchronized @Nullable Binding use(ServiceContract offered, ContractHash client, Binding binding) {
		Key key = new Key(offered, client);
		Use known = this.used.get(key);
		if (known == null && (this.usedChars + binding.chars() > MAX_USED_CHARS
				|| !this.account.tryReserveAtOnce(Direction.INCOMING, bytes(binding)))) {
			return null;
		}
		Use use = (known != null) ? new Use(known.binding, known.count + 1) : new Use(binding, 1);
		this.usedChars += (known != null) ? 0 : binding.chars();
		this.used.put(key, use);
		return use.binding;
	}

	/** Once for each {@link #use} that gave a binding. */
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
		this.account.release(Direction.INCOMING, bytes(known.binding));
	}

	private static long bytes(Binding binding) {
		return binding.chars() * BYTES_OF_CHAR;
	}

}
