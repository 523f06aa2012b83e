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
 * Texts by name that go with a call or with its answer: a tenant, a user, a trace. Names
 * are case-insensitive and are sent in lower case. How much they may take together is
 * looked at when they are sent; by default 8 KB. For one thread.
 */
public final class Attachments {

	/** Names that begin so belong to this library. */
	public static final String RESERVED_PREFIX = "rpc-";

	private static final int MAX_NAME = 64;

	private static final Attachments NONE = of(Map.of());

	private final Map<String, String> values;

	/** Names of those that may be left off; not to be changed. */
	private Set<String> optional = Set.of();

	/** Why nothing can be changed, null if it can. */
	private @Nullable String whyFixed;

	/** Create attachments without an entry. */
	public Attachments() {
		this(new LinkedHashMap<>());
	}

	private Attachments(Map<String, String> values) {
		this.values = values;
	}

	/**
	 * Whether a name is one in its final form.
	 * @param name any text
	 * @return true for 1 to 64 lower-case letters, digits, '.', '_' and '-', not one of
	 * these three first
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
	 * Attachments that have arrived.
	 * @param values by name, in lower case; not to be changed afterwards
	 * @return what cannot be changed
	 */
	public static Attachments of(Map<String, String> values) {
		Attachments result = new Attachments(values);
		result.fix("they are what has arrived");
		return result;
	}

	/**
	 * No attachments.
	 * @return what cannot be changed
	 */
	public static Attachments none() {
		return NONE;
	}

	/**
	 * The value of a name.
	 * @param name in any case
	 * @return null if there is none
	 */
	public @Nullable String get(String name) {
		return this.values.get(name.toLowerCase(Locale.ROOT));
	}

	/**
	 * The bytes of a name, as {@link #putBytes} has put them.
	 * @param name in any case
	 * @return a copy, null if there is none
	 * @throws IllegalArgumentException if the value is not Base64
	 */
	public byte @Nullable [] getBytes(String name) {
		String value = get(name);
		return (value != null) ? Base64.getDecoder().decode(value) : null;
	}

	/**
	 * Add an entry or replace its value.
	 * @param name 1 to 64 letters, digits, '.', '_' and '-', not one of these three
	 * first; in any case
	 * @param value any text, also an empty one
	 * @return this
	 * @throws IllegalArgumentException if the name may not be or is
	 * {@linkplain #RESERVED_PREFIX reserved}, or the value holds half of a character
	 * @throws IllegalStateException if these have arrived, or were sent
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
	 * Add an entry or replace its value, and let it be left off where there is no room
	 * for it: beside the others, in the order in which they were put, and at a side that
	 * takes fewer or none. A call never fails because of it.
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
	 * Those that may not be left off.
	 * @return these, if there are no others
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
	 * Whether an entry may be left off.
	 * @param name in any case
	 * @return true after {@link #putOptional}
	 */
	public boolean isOptional(String name) {
		return this.optional.contains(name.toLowerCase(Locale.ROOT));
	}

	/**
	 * Add an entry of bytes or replace its value. It is sent as Base64 text (RFC 4648,
	 * section 4), so that 3 bytes take 4.
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
	 * Add all entries, in place of those of the same names.
	 * @param others may be empty
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
	 * Remove an entry.
	 * @param name in any case
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
	 * Whether there is no entry.
	 * @return true if there is none
	 */
	public boolean isEmpty() {
		return this.values.isEmpty();
	}

	/**
	 * All entries.
	 * @return an unmodifiable view; names in lower case, in the order in which they were
	 * put
	 */
	public Map<String, String> asMap() {
		return Collections.unmodifiableMap(this.values);
	}

	/**
	 * The same entries, to be changed.
	 * @return a copy
	 */
	public Attachments copy() {
		Attachments copy = new Attachments(new LinkedHashMap<>(this.values));
		copy.optional = this.optional;
		return copy;
	}

	/**
	 * Let nobody change these any more.
	 * @param why the end of a sentence for those who try
	 */
	public void fix(String why) {
		this.whyFixed = why;
	}

	private void requireOpen() {
		if (this.whyFixed != null) {
			throw new IllegalStateException("attachments cannot be changed: " + this.whyFixed);
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
						"the value of attachment '%s' holds half of a character at index %d".formatted(name, i));
			}
		}
	}

	@Override
	public String toString() {
		return this.values.keySet().toString(); // values may be secrets
	}

}
