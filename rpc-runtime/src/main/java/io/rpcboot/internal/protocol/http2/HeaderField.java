package io.rpcboot.internal.protocol.http2;

import org.jspecify.annotations.Nullable;

/**
 * A decoded header field. Immutable; one object stands for all occurrences of a field
 * that is in a header table.
 */
public final class HeaderField {

	/** Size of a field beyond its name and value (RFC 7541, section 4.1), in bytes. */
	static final int OVERHEAD = 32;

	/** Memory of a field beyond its letters: two texts, the objects around them. */
	private static final int OBJECTS = 128;

	private final HeaderName header;

	private final String value;

	private final @Nullable Object resolved;

	private final boolean neverIndexed;

	private final int role;

	HeaderField(HeaderName header, String value, @Nullable Object resolved, boolean neverIndexed) {
		this.header = header;
		this.value = value;
		this.resolved = resolved;
		this.neverIndexed = neverIndexed;
		this.role = HeaderRole.ofField(header.role(), value);
	}

	/**
	 * Returns a field that arrived without HPACK.
	 * @param name name without capitals, or that of a pseudo-header field
	 */
	public static HeaderField of(HeaderResolver resolver, String name, String value) {
		int kind = resolver.kindOf(name);
		return new HeaderField(new HeaderName(name, kind, HeaderRole.ofName(name)), value,
				resolver.resolve(kind, value), false);
	}

	/** Returns the name as it arrived. A valid name has no capitals. */
	public String name() {
		return this.header.text();
	}

	/** Returns the value, one char for each byte. */
	public String value() {
		return this.value;
	}

	/** Returns the kind of the name by the {@link HeaderResolver}. */
	public int kind() {
		return this.header.kind();
	}

	/** Returns the meaning of the field by the {@link HeaderResolver}. */
	public @Nullable Object resolved() {
		return this.resolved;
	}

	/**
	 * Returns true if the sender marked the field as sensitive. It must be forwarded with
	 * {@link HpackEncoder.Indexing#NEVER}.
	 */
	public boolean isNeverIndexed() {
		return this.neverIndexed;
	}

	/** Returns the name with its kind, for other fields. */
	HeaderName header() {
		return this.header;
	}

	/** Returns a sum of {@link HeaderRole}. */
	int role() {
		return this.role;
	}

	/**
	 * Returns the memory of a field that is kept, in bytes: its letters and, much more if
	 * it is short, its objects.
	 */
	public int memory() {
		return this.header.text().length() + this.value.length() + OBJECTS;
	}

	/** Returns the size as HPACK counts it, in bytes. */
	int size() {
		return this.header.text().length() + this.value.length() + OVERHEAD;
	}

}
