package io.rpcboot.internal.serialization.protobuf.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;

/**
 * Message whose type the caller knows: its numbers and byte ranges. Other values are
 * skipped.
 */
final class RawMessage {

	private final Map<Integer, Long> numbers = new HashMap<>();

	private final Map<Integer, List<byte[]>> ranges = new HashMap<>();

	RawMessage(byte[] bytes) {
		ProtobufInput in = new ProtobufInput(bytes, 0, bytes.length);
		while (in.hasMore()) {
			int tag = in.readTag();
			switch (WireFormat.getTagWireType(tag)) {
				case WireFormat.WIRETYPE_VARINT -> this.numbers.put(tag >>> 3, in.readInt64());
				case WireFormat.WIRETYPE_LENGTH_DELIMITED ->
					this.ranges.computeIfAbsent(tag >>> 3, (number) -> new ArrayList<>()).add(in.readByteArray());
				default -> in.skip(tag);
			}
		}
	}

	/** Returns a number, or another one if it is absent. */
	long number(int field, long other) {
		return this.numbers.getOrDefault(field, other);
	}

	/** Returns a text, empty if it is absent. */
	String text(int field) {
		return new String(last(field), StandardCharsets.UTF_8);
	}

	/** Returns a message, empty if it is absent. */
	RawMessage message(int field) {
		return new RawMessage(last(field));
	}

	List<RawMessage> messages(int field) {
		return this.ranges.getOrDefault(field, List.of()).stream().map(RawMessage::new).toList();
	}

	private byte[] last(int field) {
		List<byte[]> all = this.ranges.getOrDefault(field, List.of(new byte[0]));
		return all.get(all.size() - 1);
	}

}
