package io.rpcboot.internal.serialization.protostuff.composite;

import java.util.Map;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protostuff.scalar.ValueType;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import io.rpcboot.internal.serialization.types.graph.Node.MapNode;
import io.rpcboot.internal.serialization.types.kind.Order;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Map, written as by protostuff-runtime: a group that repeats the field 1, which is a
 * group of key (1) and value (2). An absent field is null. A marker before the entries
 * announces another order than the plain one, as in {@link CollectionType}.
 */
public final class MapType extends ValueType {

	private static final int ENTRY = 1;

	private static final int KEY = 1;

	private static final int VALUE = 2;

	private static final int ENTRY_TAG = WireFormat.makeTag(ENTRY, WireFormat.WIRETYPE_START_GROUP);

	private static final int MARKER_TAG = WireFormat.makeTag(ENTRY, WireFormat.WIRETYPE_REFERENCE);

	private final MapNode node;

	private final ValueType key;

	private final ValueType value;

	public MapType(MapNode node, ValueType key, ValueType value) {
		super(WireFormat.WIRETYPE_START_GROUP, 0);
		this.node = node;
		this.key = key;
		this.value = value;
	}

	@Override
	public void write(ProtostuffOutput out, int number, Object map) {
		out.startGroup(number);
		Order order = this.node.kind().order(map);
		if (order != Order.PLAIN) {
			out.writeMarker(ENTRY, CollectionType.markerOf(order));
		}
		for (Map.Entry<?, ?> entry : ((Map<?, ?>) map).entrySet()) {
			out.startGroup(ENTRY);
			writePart(out, KEY, this.key, entry.getKey(), entry);
			writePart(out, VALUE, this.value, entry.getValue(), entry);
			out.endGroup(ENTRY);
		}
		out.endGroup(number);
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
			throw PathException.at(PathException.entry(entry.getKey()), ex);
		}
	}

	@Override
	public Object read(ProtostuffInput in) {
		int end = in.enterGroup();
		long start = in.size();
		Order order = order(in);
		Map<@Nullable Object, @Nullable Object> map = this.node.begin(in, order);
		int count = 0;
		while (in.tryTag(ENTRY_TAG)) {
			in.note(order.weight());
			readEntry(in, map, count++);
		}
		in.leaveGroup(end);
		return this.node.finish(map, count, in, start);
	}

	private static Order order(ProtostuffInput in) {
		if (!in.tryTag(MARKER_TAG)) {
			return Order.PLAIN;
		}
		int marker = in.readUInt32();
		Order order = CollectionType.orderOf(marker);
		if (order == Order.PLAIN) {
			throw new PathException("marker %d (expected: %d to %d for an order, or none)".formatted(marker,
					CollectionType.REVERSED, CollectionType.LOWER_CASE));
		}
		return order;
	}

	private void readEntry(ProtostuffInput in, Map<@Nullable Object, @Nullable Object> map, int count) {
		int end = in.enterGroup();
		Object entryKey = null;
		try {
			this.node.beginKey(in);
			entryKey = this.key.takeField(in, KEY);
			this.node.endKey(in);
			this.node.put(map, count, entryKey, this.value.takeField(in, VALUE), in);
			in.leaveGroup(end);
		}
		catch (RuntimeException ex) {
			throw PathException.at(PathException.entry(entryKey), ex);
		}
	}

}
