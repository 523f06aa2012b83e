package io.rpcboot.internal.protocol.http2;

import org.jspecify.annotations.Nullable;

/**
 * Resolves decoded header fields to their meaning for a connection. A field in a header
 * table is resolved once, when it enters the table; a peer refers to it by its index
 * then, and the connection finds the meaning by {@link HeaderField#kind()} and
 * {@link HeaderField#resolved()} without a look at the text. Example: a server resolves a
 * {@code :path} to the method that it names.
 * <p>
 * An implementation is used by many connections at the same time, and must not throw.
 */
public interface HeaderResolver {

	/** Kind of a field that means nothing to the connection. */
	int OTHER = 0;

	/**
	 * Returns the kind of all fields with a name: a number to switch on.
	 * @param name name of a field, by which the peer may have meant anything
	 * @return a number of the connection's choice, {@link #OTHER} if the name is unknown
	 */
	int kindOf(String name);

	/**
	 * Returns the meaning of a field. Called for each new object: for fields that enter a
	 * table, and for each occurrence of others.
	 * @param kind kind of its name
	 * @param value its value, one char for each byte
	 * @return object which stays valid while the connection is open, or null
	 */
	@Nullable Object resolve(int kind, String value);

}
