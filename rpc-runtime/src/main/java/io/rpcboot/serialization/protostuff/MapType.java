package io.rpcboot.serialization.protostuff;

import java.util.Map;

import io.protostuff.WireFormat;

import io.rpcboot.serialization.contract.TypeRef;

import org.jspecify.annotations.Nullable;

/**
 * A map, as protostuff-runtime writes it: a group that repeats the field 1, a group for
 * each entry, whose field 1 is the key and whose field 2 is the value; absent is null. A
 * marker before the entries says that they are in reverse of the natural order, as in
 * {@link CollectionType}.
 */
final class MapType extends ValueType {

	private static final int ENTRY = 1;

	private static final int KEY = 1;

	private static final int VALUE = 2;

	private static final int ENTRY_TAG = WireFormat.makeTag(ENTRY, WireFormat.WIRETYPE_START_GROUP);

	private static final int MARKER_TAG = WireFormat.makeTag(ENTRY, WireFormat.WIRETYPE_REFERENCE);

	private final MapKind kind;

	private final ValueType key;

	private final ValueType value;

	/** Whether keys are looked at before they get into a hash table. */
	private final boolean isChecked;

	private final Sizes sizes;

	MapType(MapKind kind, ValueType key, ValueType value) {
		super(WireFormat.WIRETYPE_START_GROUP, 0);
		this.kind = kind;
		this.key = key;
		this.value = value;
		this.isChecked = KeyHashes.areChecked(kind.type(), key);
		this.sizes = Sizes.of(kind.type(), 0, this.isChecked);
	}

	@Override
	void write(ProtostuffOutput out, int number, Object map) {
		Groups.start(out, number);
		if (this.kind.isReversed(map)) {
			NumberOutput.writeMarker(out, ENTRY, CollectionType.REVERSED);
		}
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
		if (key instanceof String || key instanceof Integer || key instanceof Long || key instanceof Enum<?>) {
			return "{" + key + "}";
		}
		return "{}";
	}

	@Override
	Object read(ProtostuffInput in) {
		int end = Groups.enter(in);
		long start = in.position + in.compared;
		Groups.charge(in, this.sizes.empty());
		Map<@Nullable Object, @Nullable Object> map = create(in);
		KeyHashes gathered = this.isChecked ? new KeyHashes() : null;
		int entries = 0;
		while (in.tryTag(ENTRY_TAG)) {
			Groups.charge(in, this.sizes.element() + ((entries == 0) ? this.sizes.first() - this.sizes.empty() : 0));
			readEntry(in, map, gathered);
			entries++;
		}
		Groups.leave(in, end);
		if (gathered != null) {
			KeyHashes.compare(in, start, gathered.keys());
			gathered.putAll(map);
		}
		if (entries != map.size() && this.kind.keepsEntries()) {
			throw new PathException("%d entries of which some have the same key (expected: %d different keys)"
				.formatted(entries, entries));
		}
		return map;
	}

	private Map<@Nullable Object, @Nullable Object> create(ProtostuffInput in) {
		if (!in.tryTag(MARKER_TAG)) {
			return this.kind.factory().get();
		}
		int marker = in.readUInt32();
		if (marker != CollectionType.REVERSED) {
			throw new PathException("marker %d (expected: %d for the reverse order, or none)".formatted(marker,
					CollectionType.REVERSED));
		}
		return this.kind.createReversed();
	}

	private void readEntry(ProtostuffInput in, Map<@Nullable Object, @Nullable Object> map,
			@Nullable KeyHashes gathered) {
		int end = Groups.enter(in);
		Object entryKey = null;
		try {
			entryKey = this.key.takeField(in, KEY);
			Object entryValue = this.value.takeField(in, VALUE);
			if (entryKey == null || entryValue == null) {
				this.kind.requireHolds(entryKey, entryValue);
			}
			if (gathered != null) {
				gathered.add(entryKey, entryValue);
			}
			else {
				map.put(entryKey, entryValue);
			}
			Groups.leave(in, end);
		}
		catch (RuntimeException ex) {
			throw PathException.at(step(entryKey), ex);
		}
	}

	/** The same for a serializer with another layout. */
	ServiceMap forService() {
		return new ServiceMap(this.kind, this.isChecked, this.sizes);
	}

	@Override
	TypeRef ref() {
		return TypeRef.of(this.kind.type().getName(), this.key.ref(), this.value.ref());
	}

	@Override
	ValueType translate(TypeRef written, Translator translator) {
		return new MapType(this.kind, this.key.translate(translator.argument(written, 0), translator),
				this.value.translate(translator.argument(written, 1), translator));
	}

}
