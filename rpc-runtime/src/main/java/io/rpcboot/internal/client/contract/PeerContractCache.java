package io.rpcboot.internal.client.contract;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.protocol.Bind;
import io.rpcboot.serialization.contract.ContractHash;
import org.jspecify.annotations.Nullable;

/**
 * What this client has of the tables of servers, and what was made of them: each is
 * entered in the account once, by its length, as long as a connection uses it. A part of
 * those that no connection uses is kept for servers that come back; what was used least
 * recently goes first. Thread-safe.
 */
public final class PeerContractCache {

	/** A character of a table is up to about twenty bytes of what was computed. */
	private static final long BYTES_OF_CHAR = 20;

	/** Share of the account for all tables. */
	private static final long SHARE_OF_ACCOUNT = 10;

	private static final long MAX_BYTES = 320L * 1024 * 1024;

	private final MemoryBudget account;

	private final long maxBytes;

	/** The most recently used last. */
	private final Map<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

	/** Of all entries. */
	private long bytes;

	public PeerContractCache(MemoryBudget account) {
		this.account = account;
		this.maxBytes = Math.min(MAX_BYTES, account.limit() / SHARE_OF_ACCOUNT);
	}

	private record Key(int firstNumber, ContractHash hash) {
	}

	private static final class Entry {

		final PeerContract contract;

		/** Connections that have not released it. */
		int users;

		Entry(PeerContract contract) {
			this.contract = contract;
		}

		long bytes() {
			return this.contract.chars() * BYTES_OF_CHAR;
		}

	}

	/** The contracts of a service whose tables are there. */
	public synchronized List<ContractHash> hashes(ServiceBinding binding) {
		List<ContractHash> result = new ArrayList<>();
		this.entries.forEach((key, entry) -> {
			if (key.firstNumber == binding.firstNumber() && entry.contract.isTranslated()) {
				result.add(key.hash);
			}
		});
		return result.subList(Math.max(0, result.size() - Bind.MAX_KNOWN), result.size());
	}

	/** Returns null if it is not there any more. */
	public synchronized @Nullable PeerContract useKnown(ServiceBinding binding, ContractHash hash) {
		Entry entry = this.entries.get(new Key(binding.firstNumber(), hash));
		if (entry == null) {
			return null;
		}
		entry.users++;
		return entry.contract;
	}

	/**
	 * A connection uses a contract until it releases it. Returns the one to be used:
	 * another if it was there; null if all are too long together.
	 */
	public synchronized @Nullable PeerContract use(ServiceBinding binding, PeerContract contract) {
		PeerContract known = useKnown(binding, contract.hash());
		if (known != null) {
			return known;
		}
		Entry entry = new Entry(contract);
		evict(this.maxBytes - entry.bytes());
		if (this.bytes + entry.bytes() > this.maxBytes
				|| !this.account.tryReserveAtOnce(Direction.INCOMING, entry.bytes())) {
			return null;
		}
		entry.users = 1;
		this.bytes += entry.bytes();
		this.entries.put(new Key(binding.firstNumber(), contract.hash()), entry);
		return contract;
	}

	/** Once for each time that a contract was given to be used. */
	public synchronized void release(ServiceBinding binding, ContractHash hash) {
		Entry entry = this.entries.get(new Key(binding.firstNumber(), hash));
		if (entry != null && --entry.users == 0) {
			evict(this.maxBytes / 2);
		}
	}

	/** Those that are used stay, and those that are unused until the rest is enough. */
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

	/** The client is closed. */
	public synchronized void clear() {
		this.entries.values().forEach((entry) -> this.account.release(Direction.INCOMING, entry.bytes()));
		this.entries.clear();
		this.bytes = 0;
	}

	/** The most that all tables may take, in bytes. */
	public long maxBytes() {
		return this.maxBytes;
	}

}
