package io.rpcboot.context;

import java.util.Base64;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Texts by name that travel with a call or with its reply, such as a tenant, a user or a
 * trace. Names are case-insensitive and are sent in lower case.
 *
 * <pre>{@code
 * RpcContext call = RpcContext.current();
 * String tenant = call.attachments().get("tenant");
 * call.replyAttachments().put("source", "archive");
 * }</pre>
 *
 * Their total size is checked when they are sent; the default limit is 8 KB. Not
 * thread-safe.
 *
 * @since 0.1.0
 */
public final class Attachments {

	/** Prefix of names that are reserved for this library. */
	public static final String RESERVED_PREFIX = "rpc-";

	private static final int MAX_NAME = 64;

	private static final Attachments NONE = of(Map.of());

	private final Map<String, String> values;

	/** Names of optional entries; copies share the set, so that it is never changed. */
	private Set<String> optional = Set.of();

	/** End of the message for callers that change frozen attachments; null if open. */
	private @Nullable String whyFrozen;

	/** Creates empty attachments. */
	public Attachments() {
		this(new LinkedHashMap<>());
	}

	private Attachments(Map<String, String> values) {
		this.values = values;
	}

	/**
	 * Returns true if a text is a name in the form in which it is sent.
	 * @param name any text
	 * @return true for 1 to 64 lower-case letters, digits, '.', '_' and '-' with a letter
	 * or digit first
	 */
	public static boolean isName(String name) {
		int length = name.length();
		if (length == 0 || length > MAX_NAME || !isLetterOrDigit(name.charAt(0))) {
			return false;
		}
		for (int i = 1; i < length; i++) {
			char each = name.charAt(i);
			if (!isLetterOrDigit(each) && each != '.' && each != '_' && each != '-') {
				return false;
			}
		}
		return true;
	}

	private static boolean isLetterOrDigit(char any) {
		return (any >= 'a' && any <= 'z') || (any >= '0' && any <= '9');
	}

	/**
	 * Returns received attachments, which are frozen.
	 * @param values values by name in lower case; not copied, so that the caller must not
	 * change the map
	 * @return frozen attachments
	 */
	public static Attachments of(Map<String, String> values) {
		Attachments result = new Attachments(values);
		result.freeze("they were received");
		return result;
	}

	/**
	 * Returns empty attachments, which are frozen.
	 * @return the same object each time
	 */
	public static Attachments none() {
		return NONE;
	}

	/**
	 * Returns the value of a name.
	 * @param name the name, in any case
	 * @return the value, null if there is none
	 */
	public @Nullable String get(String name) {
		return this.values.get(name.toLowerCase(Locale.ROOT));
	}

	/**
	 * Returns the bytes that {@link #putBytes} has stored under a name.
	 * @param name the name, in any case
	 * @return a new array, null if there is no value
	 * @throws IllegalArgumentException if the value is not Base64
	 */
	public byte @Nullable [] getBytes(String name) {
		String value = get(name);
		return (value != null) ? Base64.getDecoder().decode(value) : null;
	}

	/**
	 * Adds an entry or replaces its value.
	 * @param name 1 to 64 letters, digits, '.', '_' and '-' with a letter or digit first;
	 * in any case
	 * @param value any text, also an empty one
	 * @return this
	 * @throws IllegalArgumentException if the name has another form or is
	 * {@linkplain #RESERVED_PREFIX reserved}, or the value has an unpaired surrogate
	 * @throws IllegalStateException if these attachments were received or sent
	 */
	public Attachments put(String name, String value) {
		String key = name.toLowerCase(Locale.ROOT);
		if (!isName(key)) {
			throw new IllegalArgumentException(
					"attachment name '%s' (expected: 1 to 64 letters, digits, '.', '_' and '-', a letter or digit first)"
						.formatted(name));
		}
		if (key.startsWith(RESERVED_PREFIX)) {
			throw new IllegalArgumentException("attachment name '%s' (expected: one that does not begin with '%s')"
				.formatted(name, RESERVED_PREFIX));
		}
		requireWhole(name, value);
		requireOpen();
		this.values.put(key, value);
		setOptional(key, false);
		return this;
	}

	/**
	 * Adds an optional entry or replaces its value. It is dropped if it exceeds the limit
	 * beside the required entries and the optional ones before it. A peer with a lower
	 * limit gets no optional entry. No call fails because of one.
	 * @param name as for {@link #put}
	 * @param value as for {@link #put}
	 * @return this
	 * @throws IllegalArgumentException as for {@link #put}
	 * @throws IllegalStateException as for {@link #put}
	 */
	public Attachments putOptional(String name, String value) {
		put(name, value);
		setOptional(name.toLowerCase(Locale.ROOT), true);
		return this;
	}

	private void setOptional(String key, boolean is) {
		if (is == this.optional.contains(key)) {
			return;
		}
		Set<String> changed = new HashSet<>(this.optional); // copies share the other
		if (is) {
			changed.add(key);
		}
		else {
			changed.remove(key);
		}
		this.optional = changed;
	}

	/**
	 * Returns the entries that are not optional.
	 * @return this if no entry is optional
	 */
	public Attachments required() {
		if (this.optional.isEmpty()) {
			return this;
		}
		Attachments required = new Attachments();
		required.values.putAll(this.values);
		required.values.keySet().removeAll(this.optional);
		return required;
	}

	/**
	 * Returns true if an entry is optional.
	 * @param name the name, in any case
	 * @return true after {@link #putOptional}
	 */
	public boolean isOptional(String name) {
		return this.optional.contains(name.toLowerCase(Locale.ROOT));
	}

	/**
	 * Adds an entry of bytes or replaces its value. Bytes are sent as Base64 text (RFC
	 * 4648, section 4), so that 3 bytes take 4.
	 * @param name as for {@link #put}
	 * @param value any bytes
	 * @return this
	 * @throws IllegalArgumentException as for {@link #put}
	 * @throws IllegalStateException as for {@link #put}
	 */
	public Attachments putBytes(String name, byte[] value) {
		return put(name, Base64.getEncoder().encodeToString(value));
	}

	/**
	 * Adds all entries of other attachments, and replaces values of the same names.
	 * @param others the other attachments, possibly empty
	 * @return this
	 * @throws IllegalStateException as for {@link #put}
	 */
	public Attachments putAll(Attachments others) {
		requireOpen();
		this.values.putAll(others.values);
		if (!this.optional.isEmpty() || !others.optional.isEmpty()) {
			others.values.keySet().forEach((key) -> setOptional(key, others.optional.contains(key)));
		}
		return this;
	}

	/**
	 * Removes an entry.
	 * @param name the name, in any case
	 * @return this
	 * @throws IllegalStateException as for {@link #put}
	 */
	public Attachments remove(String name) {
		requireOpen();
		String key = name.toLowerCase(Locale.ROOT);
		this.values.remove(key);
		setOptional(key, false);
		return this;
	}

	/**
	 * Returns true if there is no entry.
	 * @return true if empty
	 */
	public boolean isEmpty() {
		return this.values.isEmpty();
	}

	/**
	 * Returns all entries.
	 * @return an unmodifiable view; names in lower case, in the order of their first
	 * {@link #put}
	 */
	public Map<String, String> asMap() {
		return Collections.unmodifiableMap(this.values);
	}

	/**
	 * Returns a copy that can be changed.
	 * @return a copy
	 */
	public Attachments copy() {
		Attachments copy = new Attachments(new LinkedHashMap<>(this.values));
		copy.optional = this.optional;
		return copy;
	}

	/**
	 * Refuses all further changes.
	 * @param reason end of the message of the {@code IllegalStateException}, such as
	 * {@code they were sent}
	 */
	public void freeze(String reason) {
		this.whyFrozen = reason;
	}

	private void requireOpen() {
		if (this.whyFrozen != null) {
			throw new IllegalStateException("attachments cannot be changed: " + this.whyFrozen);
		}
	}

	private static void requireWhole(String name, String value) {
		for (int i = 0; i < value.length(); i++) {
			char each = value.charAt(i);
			boolean pair = Character.isHighSurrogate(each) && i + 1 < value.length()
					&& Character.isLowSurrogate(value.charAt(i + 1));
			if (pair) {
				i++;
			}
			else if (Character.isSurrogate(each)) {
				throw new IllegalArgumentException(
						"value of attachment '%s' has an unpaired surrogate at index %d".formatted(name, i));
			}
		}
	}

	/**
	 * Returns the names only, because values may be secrets.
	 */
	@Override
	public String toString() {
		return this.values.keySet().toString();
	}

}
