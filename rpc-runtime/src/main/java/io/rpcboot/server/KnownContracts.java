package io.rpcboot.server;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

import io.rpcboot.serialization.contract.ContractHash;
import io.rpcboot.server.OfferedContract.Binding;

import org.jspecify.annotations.Nullable;

/**
 * What was computed from the tables of clients, so that a table is sent and looked at
 * once and not once for each connection. Bounded by the length of the tables; what was
 * used least recently goes first. Thread-safe.
 */
final class KnownContracts {

	/** A table takes some thousand characters, about a hundred for a field. */
	private static final long MAX_CHARS = 8 * 1024 * 1024;

	private final Map<Key, Binding> bindings = new LinkedHashMap<>(16, 0.75f, true);

	private long chars;

	private record Key(OfferedContract offered, ContractHash client) {
	}

	synchronized @Nullable Binding get(OfferedContract offered, ContractHash client) {
		return this.bindings.get(new Key(offered, client));
	}

	/** Returns the one that is kept: another if it was known already. */
	synchronized Binding add(OfferedContract offered, ContractHash client, Binding binding) {
		Binding known = this.bindings.putIfAbsent(new Key(offered, client), binding);
		if (known != null) {
			return known;
		}
		this.chars += binding.chars();
		Iterator<Binding> eldest = this.bindings.values().iterator();
		while (this.chars > MAX_CHARS) {
			this.chars -= eldest.next().chars();
			eldest.remove();
		}
		return binding;
	}

}
