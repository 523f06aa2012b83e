package io.rpcboot.internal.serialization.protobuf.json;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.rpcboot.internal.serialization.json.JsonInput;
import io.rpcboot.internal.serialization.json.JsonStreams;
import io.rpcboot.internal.serialization.protobuf.wire.LengthGuess;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.internal.serialization.types.Format;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import io.rpcboot.internal.text.NearestName;
import io.rpcboot.internal.text.PrintableText;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * Translates one message in JSON into protobuf. A field is written when it is read; list
 * elements without fields are packed. What is written is charged to the budget of the
 * reader, because it may be larger than its JSON. For one thread.
 */
final class JsonToProtobuf {

	private static final String TYPE = "@type";

	private static final String VALUE = "value";

	private static final String TWICE = "set twice, perhaps by two names (expected: once)";

	/** Bytes that are charged at a time. */
	private static final int STEP = 4096;

	/** Heap size of an entry in a set. */
	private static final int ENTRY = 48;

	private final JsonTypes types;

	private final JsonInput in;

	private final ProtobufOutput out;

	private final byte[] source;

	private final int offset;

	private final int length;

	/** Size of the length of the last content of an {@code Any}. */
	private final LengthGuess guess = new LengthGuess();

	private int depth;

	/** Index behind the bytes that were charged. */
	private int charged;

	JsonToProtobuf(JsonTypes types, JsonInput in, ProtobufOutput out, byte[] source, int offset, int length) {
		this.types = types;
		this.in = in;
		this.out = out;
		this.source = source;
		this.offset = offset;
		this.length = length;
		this.charged = out.position;
	}

	/** Translates the message that begins at the current token. */
	void message(MessageType type) {
		if (++this.depth > Format.MAX_DEPTH) {
			throw PathException.tooDeep(Format.MAX_DEPTH);
		}
		switch (type.form()) {
			case OBJECT, ENTRY -> {
				this.in.require(JsonToken.START_OBJECT);
				this.in.nextToken();
				fields(type, false);
			}
			case ANY -> any();
			case STRUCT -> entries(type.require(1));
			case LIST -> elements(type.require(1));
			case VALUE -> value(type);
			case WRAPPER -> single(type.require(1), false);
			case TIMESTAMP -> time(TimeText.ofTimestamp(JsonScalars.text(this.in)), TimeText.TIMESTAMP);
			case DURATION -> time(TimeText.ofDuration(JsonScalars.text(this.in)), TimeText.DURATION);
			case FIELD_MASK -> paths(JsonScalars.text(this.in));
		}
		this.depth--;
		charge(STEP);
	}

	/** Charges the bytes that were written, if they are a number of bytes or more. */
	private void charge(int least) {
		int written = this.out.position - this.charged;
		if (written >= least) {
			this.in.budget().charge(written);
			this.charged = this.out.position;
		}
	}

	/**
	 * Translates the properties from the current token on.
	 * @param isContent true for the content of an {@code Any}, whose type is among them
	 */
	private void fields(MessageType type, boolean isContent) {
		String before = (this.depth == 1) ? " " : ".";
		boolean isValue = isContent && type.form() != MessageType.Form.OBJECT;
		long[] seen = new long[(type.size() + type.choices() >> 6) + 1];
		for (; this.in.currentToken() == JsonToken.PROPERTY_NAME; this.in.nextToken()) {
			String name = this.in.currentName();
			try {
				Integer index = isValue ? null : type.index(name);
				if (isContent && name.equals(TYPE)) {
					requireFirst(seen, type.size() + type.choices(), TWICE);
					this.in.next(JsonToken.VALUE_STRING);
				}
				else if (index != null) {
					field(type, index, seen);
				}
				else if (isValue && name.equals(VALUE)) {
					requireFirst(seen, 0, TWICE);
					this.in.nextToken();
					message(type);
				}
				else {
					skip(name, type.name(), isValue ? List.of(VALUE) : type.names());
				}
			}
			catch (RuntimeException ex) {
				throw JsonStreams.at(before + PrintableText.of(name), ex);
			}
		}
	}

	/** Skips an unknown property, or refuses it. */
	private void skip(String name, String type, List<String> known) {
		if (!this.types.ignoresUnknownFields()) {
			String nearest = NearestName.of(name, known);
			throw JsonScalars.refused("no field of " + type,
					(nearest != null) ? nearest : known.isEmpty() ? "none" : PathException.some(known.stream()));
		}
		this.in.nextToken();
		this.in.skipChildren();
	}

	private void field(MessageType type, int index, long[] seen) {
		MessageField field = type.at(index);
		requireFirst(seen, index, TWICE);
		this.in.nextToken();
		if (this.in.currentToken() == JsonToken.VALUE_NULL && (field.isRepeated() || !field.acceptsNull())) {
			return;
		}
		if (field.choice() >= 0) {
			requireFirst(seen, type.size() + field.choice(), "a second member of a oneof (expected: one)");
		}
		if (field.isMap()) {
			entries(field);
		}
		else if (field.isRepeated()) {
			elements(field);
		}
		else {
			single(field, field.hasPresence());
		}
		charge(STEP);
	}

	private static void requireFirst(long[] seen, int index, String message) {
		if ((seen[index >> 6] & 1L << index) != 0) {
			throw new PathException(message);
		}
		seen[index >> 6] |= 1L << index;
	}

	/**
	 * Writes the value at the current token with its tag.
	 * @param isWritten true to write zero, or an empty value, too
	 * @return false with nothing written if it is an unknown constant, which is ignored
	 */
	private boolean single(MessageField field, boolean isWritten) {
		switch (field.kind()) {
			case MESSAGE -> {
				int prefix = this.out.prefix(field.guess());
				int start = this.out.startPacked(field.number(), prefix);
				message(field.type());
				this.out.endPacked(start, prefix, field.guess());
			}
			case STRING -> {
				String text = JsonScalars.text(this.in);
				if (isWritten || !text.isEmpty()) {
					this.out.writeString(field.number(), text);
				}
			}
			case BYTES -> {
				byte[] bytes = JsonScalars.bytes(this.in);
				if (isWritten || bytes.length > 0) {
					this.out.writeByteArray(field.number(), bytes);
				}
			}
			default -> {
				long bits = number(field);
				if (field.kind() == FieldKind.ENUM && bits == JsonScalars.UNKNOWN) {
					return false;
				}
				if (isWritten || bits != 0) {
					this.out.packVarint(field.tag());
					field.kind().write(this.out, bits);
				}
			}
		}
		return true;
	}

	private long number(MessageField field) {
		return (this.in.currentToken() == JsonToken.VALUE_NULL && field.acceptsNull()) ? 0
				: JsonScalars.number(this.in, field, this.types.ignoresUnknownFields());
	}

	private void elements(MessageField field) {
		this.in.require(JsonToken.START_ARRAY);
		int before = this.out.position;
		int prefix = this.out.prefix(field.guess());
		boolean isPacked = field.kind().isNumber();
		int start = isPacked ? this.out.startPacked(field.number(), prefix) : 0;
		int index = 0;
		try {
			for (; this.in.nextToken() != JsonToken.END_ARRAY; index++) {
				requireValue(field);
				if (!isPacked) {
					single(field, true);
				}
				else {
					long bits = number(field);
					if (field.kind() != FieldKind.ENUM || bits != JsonScalars.UNKNOWN) {
						field.kind().write(this.out, bits);
					}
				}
				charge(STEP);
			}
		}
		catch (RuntimeException ex) {
			throw JsonStreams.at("[" + index + "]", ex);
		}
		if (isPacked && this.out.position == start) {
			this.out.position = before;
		}
		else if (isPacked) {
			this.out.endPacked(start, prefix, field.guess());
		}
	}

	private void requireValue(MessageField field) {
		if (this.in.currentToken() == JsonToken.VALUE_NULL && !field.acceptsNull()) {
			throw JsonScalars.refused("null", field.kind().expected());
		}
	}

	private void entries(MessageField field) {
		this.in.require(JsonToken.START_OBJECT);
		MessageField key = field.type().require(1);
		MessageField value = field.type().require(2);
		Set<Object> keys = new HashSet<>();
		while (this.in.nextToken() == JsonToken.PROPERTY_NAME) {
			String name = this.in.currentName();
			this.in.budget().charge(ReadBudget.TEXT + ENTRY + (long) Character.BYTES * name.length());
			try {
				int before = this.out.position;
				int prefix = this.out.prefix(field.guess());
				int start = this.out.startPacked(field.number(), prefix);
				if (!keys.add(key(key, name))) {
					throw new PathException("a key twice (expected: once)");
				}
				this.in.nextToken();
				requireValue(value);
				if (single(value, true)) {
					this.out.endPacked(start, prefix, field.guess());
				}
				else {
					this.out.position = before;
				}
				charge(STEP);
			}
			catch (RuntimeException ex) {
				throw JsonStreams.at("[\"" + PrintableText.of(name) + "\"]", ex);
			}
		}
	}

	/** Writes a key. Returns the same object for texts of the same key. */
	private Object key(MessageField field, String name) {
		if (field.kind() == FieldKind.STRING) {
			this.out.writeString(field.number(), name);
			return name;
		}
		long bits = JsonScalars.ofText(name, field, false);
		this.out.packVarint(field.tag());
		field.kind().write(this.out, bits);
		return bits;
	}

	private void value(MessageType type) {
		JsonToken token = this.in.currentToken();
		single(type.require(switch (token) {
			case VALUE_NULL -> 1;
			case VALUE_STRING -> 3;
			case VALUE_TRUE, VALUE_FALSE -> 4;
			case START_OBJECT -> 5;
			case START_ARRAY -> 6;
			default -> 2;
		}), true);
	}

	private void time(@Nullable TimeText time, String expected) {
		if (time == null) {
			throw JsonScalars.refused(JsonScalars.quoted(this.in.getString()), expected);
		}
		this.out.put(1, time.seconds());
		this.out.put(2, time.nanos());
	}

	/** Translates paths between commas, whose names are in camel case. */
	private void paths(String text) {
		StringBuilder path = new StringBuilder();
		int end;
		for (int start = 0; start < text.length(); start = end + 1) {
			end = text.indexOf(',', start);
			end = (end < 0) ? text.length() : end;
			if (end > start) {
				this.in.budget().charge(2 * ReadBudget.TEXT + end - start);
				path.setLength(0);
				for (int i = start; i < end; i++) {
					char c = text.charAt(i);
					boolean isUpper = c >= 'A' && c <= 'Z';
					path.append(isUpper ? "_" : "").append(isUpper ? (char) (c - 'A' + 'a') : c);
				}
				this.out.writeString(1, path.toString());
			}
		}
	}

	private void any() {
		this.in.require(JsonToken.START_OBJECT);
		int start = this.offset + (int) this.in.currentTokenLocation().getByteOffset();
		if (this.in.nextToken() == JsonToken.END_OBJECT) {
			return;
		}
		String url = this.types.streams().property(this.in, this.source, start, this.offset + this.length, TYPE);
		MessageType content = this.types.require(url);
		this.out.writeString(1, Objects.requireNonNull(url));
		int prefix = this.out.prefix(this.guess);
		int at = this.out.startPacked(2, prefix);
		fields(content, true);
		this.out.endPacked(at, prefix, this.guess);
	}

}
