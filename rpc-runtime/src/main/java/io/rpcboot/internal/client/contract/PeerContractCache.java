package io.rpcboot.internal.client.contract;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.serialization.contract.ContractHash;
import org.jspecify.annotations.Nullable;

/**
 * Cache of the contracts of servers. Counts the connections that use a contract, and
 * reserves 20 bytes of memory for each character of its table. Keeps unused contracts up
 * to half of its limit for servers that return; evicts the least recently used first. Any
 * thread.
 */
public final class PeerContractCache {

	/** Memory of the parsed contract for each character of its table. */
	private static final long BYTES_OF_CHAR = 20;

	/** Divisor of the client's memory; limit = min(memory / 10, 320 MB). */
	private static final long MEMORY_DIVISOR = 10;

	private static final long MAX_BYTES = 320L * 1024 * 1024;

	private final MemoryBudget account;

	private final long maxBytes;

	/** Contracts from the least to the most recently used. */
	private final Map<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

	/** Reserved memory of the entries in use, by the connection that introduced them. */
	private final Map<Object, Long> introduced = new HashMap<>();

	/** Reserved memory of all entries. */
	private long bytes;

	public PeerContractCache(MemoryBudget account) {
		this.account = account;
		this.maxBytes = Math.min(MAX_BYTES, account.limit() / MEMORY_DIVISOR);
	}

	private record Key(int firstNumber, ContractHash hash) {
	}

	private static final class Entry {

		final PeerContract contract;

		/** Connection that introduced it; it bears its memory while it is in use. */
		final Object connection;

		/** Connections that have not released it. */
		int users;

		Entry(PeerContract contract, Object connection) {
			this.contract = contract;
			this.connection = connection;
		}

		long bytes() {
			return this.contract.chars() * BYTES_OF_CHAR;
		}

	}

	/** Returns the hashes of the last parsed contracts of a service. */
	public List<ContractHash> hashes(ServiceBinding binding, int most) {
		return parsed(binding, most).stream().map(PeerContract::hash).toList();
	}

	/** Returns the last parsed contracts of a service. */
	public synchronized List<PeerContract> parsed(ServiceBinding binding, int most) {
		List<PeerContract> result = new ArrayList<>();
		this.entries.forEach((key, entry) -> {
			if (key.firstNumber == binding.firstNumber() && entry.contract.isTranslated()) {
				result.add(entry.contract);
			}
		});
		return result.subList(Math.max(0, result.size() - most), result.size());
	}

	/** Returns a parsed contract; null if it is not in the cache. */
	public synchronized @Nullable PeerContract findParsed(ServiceBinding binding, ContractHash hash) {
		Entry entry = this.entries.get(new Key(binding.firstNumber(), hash));
		return (entry != null && entry.contract.isTranslated()) ? entry.contract : null;
	}

	/** Returns a contract and counts a user; null if it is not in the cache. */
	public synchronized @Nullable PeerContract useKnown(ServiceBinding binding, ContractHash hash) {
		Entry entry = this.entries.get(new Key(binding.firstNumber(), hash));
		if (entry == null) {
			return null;
		}
		if (entry.users++ == 0) {
			charge(entry, entry.bytes());
		}
		return entry.contract;
	}

	/**
	 * Adds a contract, unless an equal one is in the cache, and counts a user. Returns
	 * the contract of the cache; null if memory for it is short, or if the connection has
	 * introduced half of what all may take.
	 */
	public synchronized @Nullable PeerContract use(ServiceBinding binding, PeerContract contract, Object connection) {
		PeerContract known = useKnown(binding, contract.hash());
		if (known != null) {
			return known;
		}
		Entry entry = new Entry(contract, connection);
		if (this.introduced.getOrDefault(connection, 0L) + entry.bytes() > this.maxBytes / 2) {
			return null;
		}
		evict(this.maxBytes - entry.bytes());
		if (this.bytes + entry.bytes() > this.maxBytes
				|| !this.account.tryReserveAtOnce(Direction.INCOMING, entry.bytes())) {
			return null;
		}
		entry.users = 1;
		charge(entry, entry.bytes());
		this.bytes += entry.bytes();
		this.entries.put(new Key(binding.firstNumber(), contract.hash()), entry);
		return contract;
	}

	/**
	 * Parses a contract and adds it, although no connection has introduced it.
	 * @return false if memory for it is short
	 * @throws io.rpcboot.serialization.contract.ContractException if it is malformed
	 */
	public boolean keep(PeerContract contract) {
		if (findParsed(contract.binding(), contract.hash()) != null) {
			return true;
		}
		contract.refused();
		boolean isKept = use(contract.binding(), contract, this) != null;
		if (isKept) {
			release(contract.binding(), contract.hash());
		}
		return isKept;
	}

	/** Counts out a user. */
	public synchronized void release(ServiceBinding binding, ContractHash hash) {
		Entry entry = this.entries.get(new Key(binding.firstNumber(), hash));
		if (entry != null && --entry.users == 0) {
			charge(entry, -entry.bytes());
			evict(this.maxBytes / 2);
		}
	}

	private void charge(Entry entry, long bytes) {
		this.introduced.merge(entry.connection, bytes, (one, other) -> (one + other != 0) ? one + other : null);
	}

	/** Evicts unused contracts until the rest fits, and those that were never parsed. */
	private void evict(long most) {
		for (Iterator<Entry> eldest = this.entries.values().iterator(); eldest.hasNext();) {
			Entry entry = eldest.next();
			if (entry.users == 0 && (this.bytes > most || !entry.contract.isTranslated())) {
				eldest.remove();
				this.bytes -= entry.bytes();
				this.account.release(Direction.INCOMING, entry.bytes());
			}
		}
	}

	/** Releases all memory because the client is closed. */
	public synchronized void clear() {
		this.entries.values().forEach((entry) -> this.account.release(Direction.INCOMING, entry.bytes()));
		this.entries.clear();
		this.bytes = 0;
	}

	/** Returns the limit of the memory of all contracts, in bytes. */
	public long maxBytes() {
		return this.maxBytes;
	}

}
