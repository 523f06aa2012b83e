package io.rpcboot.internal.serialization.types.kind;

import java.io.Serializable;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Map of texts in the order of its entries that finds a key in any case, as a
 * {@code LinkedCaseInsensitiveMap} of Spring does: by the lower case of the root locale.
 * Keys keep their case; one that is put in another case replaces its entry. Like
 * {@code LinkedHashMap} it is not thread-safe.
 */
final class CaseInsensitiveMap extends AbstractMap<@Nullable Object, @Nullable Object> implements Serializable {

	private static final long serialVersionUID = 1L;

	/** Entries by the lower case of their keys. */
	private final LinkedHashMap<String, SimpleEntry<@Nullable Object, @Nullable Object>> entries = new LinkedHashMap<>();

	private static String lowerCase(Object key) {
		return ((String) key).toLowerCase(Locale.ROOT);
	}

	@Override
	public @Nullable Object put(@Nullable Object key, @Nullable Object value) {
		if (!(key instanceof String text)) {
			throw new ClassCastException("%s as a key that is found in any case (expected: a String)"
				.formatted((key != null) ? key.getClass().getName() : null));
		}
		String found = lowerCase(text);
		SimpleEntry<@Nullable Object, @Nullable Object> known = this.entries.get(found);
		if (known != null && text.equals(known.getKey())) {
			return known.setValue(value);
		}
		if (known != null) {
			this.entries.remove(found);
		}
		this.entries.put(found, new SimpleEntry<>(text, value));
		return (known != null) ? known.getValue() : null;
	}

	@Override
	public @Nullable Object get(@Nullable Object key) {
		SimpleEntry<@Nullable Object, @Nullable Object> known = find(key);
		return (known != null) ? known.getValue() : null;
	}

	@Override
	public boolean containsKey(@Nullable Object key) {
		return find(key) != null;
	}

	private @Nullable SimpleEntry<@Nullable Object, @Nullable Object> find(@Nullable Object key) {
		return (key instanceof String text) ? this.entries.get(lowerCase(text)) : null;
	}

	@Override
	public @Nullable Object remove(@Nullable Object key) {
		SimpleEntry<@Nullable Object, @Nullable Object> known = (key instanceof String text)
				? this.entries.remove(lowerCase(text)) : null;
		return (known != null) ? known.getValue() : null;
	}

	@Override
	public void clear() {
		this.entries.clear();
	}

	@Override
	public int size() {
		return this.entries.size();
	}

	@Override
	public Set<Map.Entry<@Nullable Object, @Nullable Object>> entrySet() {
		return new AbstractSet<>() {

			@Override
			public Iterator<Map.Entry<@Nullable Object, @Nullable Object>> iterator() {
				Iterator<? extends Map.Entry<@Nullable Object, @Nullable Object>> all = CaseInsensitiveMap.this.entries
					.values()
					.iterator();
				return new Iterator<>() {

					@Override
					public boolean hasNext() {
						return all.hasNext();
					}

					@Override
					public Map.Entry<@Nullable Object, @Nullable Object> next() {
						return all.next();
					}

					@Override
					public void remove() {
						all.remove();
					}
				};
			}

			@Override
			public int size() {
				return CaseInsensitiveMap.this.entries.size();
			}
		};
	}

}
