package io.rpcboot.internal.serialization.protobuf.composite;

import java.util.List;
import java.util.Map;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protobuf.scalar.FieldType;
import io.rpcboot.internal.serialization.protobuf.scalar.SingularType;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration;
import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration.Label;
import io.rpcboot.internal.serialization.protobuf.schema.TypeName;
import io.rpcboot.internal.serialization.protobuf.wire.LengthGuess;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.internal.serialization.types.graph.Node.MapNode;
import io.rpcboot.internal.serialization.types.kind.Order;
import io.rpcboot.serialization.PathException;
import io.rpcboot.serialization.contract.TypeRef;
import org.jspecify.annotations.Nullable;

/**
 * Map: a repeated message of key (1) and value (2). If protobuf's {@code map} has such
 * keys and values, it is declared as one, and holds no null. Of entries with one key the
 * last one counts. Null arrives as an empty map.
 */
public final class MapType extends FieldType {

	private static final int KEY = 1;

	private static final int VALUE = 2;

	private final MapNode node;

	private final FieldType key;

	private final FieldType value;

	/** True if it is declared as a {@code map}. */
	private final boolean isMap;

	private final LengthGuess guess = new LengthGuess();

	public MapType(MapNode node, FieldType key, FieldType value) {
		this.node = node;
		this.key = key;
		this.value = value;
		this.isMap = key instanceof SingularType singular && singular.isMapKey() && value instanceof SingularType;
	}

	@Override
	public void writeField(ProtobufOutput out, int number, @Nullable Object map) {
		if (map == null) {
			return;
		}
		CollectionType.requireOrder(this.node.kind().isReversed(map));
		for (Map.Entry<?, ?> each : ((Map<?, ?>) map).entrySet()) {
			int reserved = out.prefix(this.guess);
			int start = out.startMessage(number, reserved);
			try {
				write(out, KEY, this.key, each.getKey());
				write(out, VALUE, this.value, each.getValue());
			}
			catch (RuntimeException ex) {
				throw PathException.at(PathException.entry(each.getKey()), ex);
			}
			out.endMessage(start, reserved, this.guess);
		}
	}

	private void write(ProtobufOutput out, int number, FieldType type, @Nullable Object part) {
		if (this.isMap && type instanceof SingularType singular) {
			singular.write(out, number, (part != null) ? part : singular.ofNull());
			return;
		}
		type.writeField(out, number, part);
	}

	@Override
	public Object readField(ProtobufInput in, int tag, @Nullable Object before) {
		requireTag(tag, WireFormat.WIRETYPE_LENGTH_DELIMITED);
		long start = in.size();
		Filling<Map<@Nullable Object, @Nullable Object>> filling = (before != null) ? Filling.of(before)
				: new Filling<>(this.node.begin(in, Order.PLAIN), in);
		readEntry(in, filling);
		filling.size += in.size() - start;
		return filling;
	}

	private void readEntry(ProtobufInput in, Filling<Map<@Nullable Object, @Nullable Object>> filling) {
		int outside = in.enterMessage();
		Object entryKey = null;
		Object entryValue = null;
		try {
			while (in.hasMore()) {
				int tag = in.readTag();
				switch (WireFormat.getTagFieldNumber(tag)) {
					case KEY -> {
						this.node.beginKey(in);
						entryKey = this.key.readField(in, tag, entryKey);
						this.node.endKey(in);
					}
					case VALUE -> entryValue = this.value.readField(in, tag, entryValue);
					default -> in.skip(tag);
				}
			}
			this.node.beginKey(in);
			entryKey = finish(in, this.key, entryKey);
			this.node.endKey(in);
			entryValue = finish(in, this.value, entryValue);
			this.node.put(filling.container, filling.count++, entryKey, entryValue, in);
		}
		catch (RuntimeException ex) {
			throw PathException.at(PathException.entry(entryKey), ex);
		}
		in.leaveMessage(outside);
	}

	private @Nullable Object finish(ProtobufInput in, FieldType type, @Nullable Object state) {
		if (!this.isMap || !(type instanceof SingularType singular)) {
			return type.finish(in, state);
		}
		Object part = (state != null) ? singular.finish(in, state) : in.ofZeros(singular::read);
		if (part == null) {
			singular.ofNull();
		}
		return part;
	}

	@Override
	public Object finish(ProtobufInput in, @Nullable Object state) {
		if (state == null) {
			return this.node.finish(this.node.begin(in, Order.PLAIN), in, in.size());
		}
		Filling<Map<@Nullable Object, @Nullable Object>> filling = Filling.of(state);
		return this.node.finish(filling.container, in, in.size() - filling.size);
	}

	@Override
	public FieldDeclaration declare(Declarations file, String name, int number) {
		if (this.isMap && this.key instanceof SingularType ofKey && this.value instanceof SingularType ofValue) {
			return new FieldDeclaration(name, number, Label.REPEATED, ofValue.name(file), ofKey.name(file));
		}
		TypeName entry = file.message(TypeRef.of("Entry", this.node.key().ref(), this.node.value().ref()),
				() -> List.of(this.key.declare(file, "key", KEY), this.value.declare(file, "value", VALUE)), List.of());
		return new FieldDeclaration(name, number, Label.REPEATED, entry, null);
	}

}
