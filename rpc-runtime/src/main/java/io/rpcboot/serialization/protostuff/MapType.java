package io.rpcboot.serialization.protostuff;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Supplier;

import io.protostuff.WireFormat;

import io.rpcboot.serialization.contract.TypeRef;

import org.jspecify.annotations.Nullable;

/**
 * A map, as protostuff-runtime writes it: a group that repeats the field 1, a group for
 * each entry, whose field 1 is the key and whose field 2 is the value; absent is null.
 */
final class MapType extends ValueType {

	private static final int ENTRY = 1;

	private static final int KEY = 1;

	private static final int VALUE = 2;

	private static final int ENTRY_TAG = WireFormat.makeTag(ENTRY, WireFormat.WIRETYPE_START_GROUP);

	private final Class<?> type;

	private final Supplier<Map<@Nullable Object, @Nullable Object>> factory;

	private final ValueType key;

	private final ValueType value;

	/** Whether keys are looked at before they get into a hash table. */
	private final boolean checked;

	private final int empty;

	private final int first;

	/** What an entry takes. */
	private final int slot;

	MapType(Class<?> type, Supplier<Map<@Nullable Object, @Nullable Object>> factory, ValueType key, ValueType value) {
		super(WireFormat.WIRETYPE_START_GROUP, 0);
		this.type = type;
		this.factory = factory;
		this.key = key;
		this.value = value;
		this.checked = KeyHashes.areChecked(type, key);
		this.empty = Sizes.empty(type);
		this.first = Sizes.first(type);
		this.slot = Sizes.ENTRY + (this.checked ? Sizes.GATHERED : 0);
	}

	@Override
	void write(ProtostuffOutput out, int number, Object map) {
		if (map instanceof SortedMap<?, ?> sorted && SortedMap.class.isAssignableFrom(this.type)) {
			CollectionType.requireNaturalOrder(sorted.comparator());
		}
		Groups.start(out, number);
		for (Map.Entry<?, ?> entry : ((Map<?, ?>) map).entrySet()) {
			Groups.start(out, ENTRY);
			writePart(out, KEY, this.key, entry.getKey(), entry);
			writePart(out, VALUE, this.value, entry.getValue(), entry);
			Groups.end(out, ENTRY);
		}
		Groups.end(out, number);
	}

	private static void writePart(ProtostuffOutput out, int number, ValueType type, @Nullable Object part,
			Map.Entry<?, ?> entry) {
		if (part == null) {
			return;
		}
		try {
			type.writeField(out, number, part);
		}
		catch (RuntimeException ex) {
			throw PathException.at(step(entry.getKey()), ex);
		}
	}

	private static String step(@Nullable Object key) {
		if (key instanceof String || key instanceof Number || key instanceof Enum<?>) {
			return "{" + key + "}";
		}
		return "{}";
	}

	@Override
	Object read(ProtostuffInput in) {
		Groups.charge(in, this.empty);
		Map<@Nullable Object, @Nullable Object> map = this.factory.get();
		List<@Nullable Object> keys = this.checked ? new ArrayList<>() : List.of();
		List<@Nullable Object> values = this.checked ? new ArrayList<>() : List.of();
		int end = Groups.enter(in);
		int entries = 0;
		while (in.tryTag(ENTRY_TAG)) {
			Groups.charge(in, (entries == 0) ? this.first + this.slot : this.slot);
			int entryEnd = Groups.enter(in);
			Object entryKey = readKey(in);
			Object entryValue = readValue(in, entryKey, entryEnd);
			if (this.checked) {
				keys.add(entryKey);
				values.add(entryValue);
			}
			else {
				put(map, entryKey, entryValue);
			}
			entries++;
		}
		Groups.leave(in, end);
		KeyHashes.check(keys);
		for (int i = 0; i < keys.size(); i++) {
			put(map, keys.get(i), values.get(i));
		}
		if (entries != map.size()) {
			throw new PathException("%d entries of which some have the same key (expected: %d different keys)"
				.formatted(entries, entries));
		}
		return map;
	}

	private @Nullable Object readKey(ProtostuffInput in) {
		try {
			return this.key.takeField(in, KEY);
		}
		catch (RuntimeException ex) {
			throw PathException.at(step(null), ex);
		}
	}

	private @Nullable Object readValue(ProtostuffInput in, @Nullable Object entryKey, int end) {
		try {
			Object entryValue = this.value.takeField(in, VALUE);
			Groups.leave(in, end);
			return entryValue;
		}
		catch (RuntimeException ex) {
			throw PathException.at(step(entryKey), ex);
		}
	}

	private static void put(Map<@Nullable Object, @Nullable Object> map, @Nullable Object key, @Nullable Object value) {
		try {
			map.put(key, value);
		}
		catch (RuntimeException ex) {
			throw PathException.at(step(key), ex);
		}
	}

	@Override
	TypeRef ref() {
		return TypeRef.of(this.type.getName(), this.key.ref(), this.value.ref());
	}

	@Override
	ValueType translate(TypeRef written, Translator translator) {
		return new MapType(this.type, this.factory, this.key.translate(translator.argument(written, 0), translator),
				this.value.translate(translator.argument(written, 1), translator));
	}

}
