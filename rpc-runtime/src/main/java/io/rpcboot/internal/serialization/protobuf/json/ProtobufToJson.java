package io.rpcboot.internal.serialization.protobuf.json;

import io.rpcboot.internal.serialization.json.JsonOutput;
import io.rpcboot.internal.serialization.json.JsonStreams;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.types.Format;
import io.rpcboot.internal.text.PrintableText;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Translates one message in protobuf into JSON, field by field in the order of their
 * numbers. Bytes in another order are sorted first. For one thread.
 */
final class ProtobufToJson {

	private final JsonTypes types;

	private final ProtobufInput in;

	private final JsonOutput out;

	private final FieldOrder order;

	private int depth;

	/** Tag that was read last. */
	private int tag;

	ProtobufToJson(JsonTypes types, ProtobufInput in, JsonOutput out, FieldOrder order) {
		this.types = types;
		this.in = in;
		this.out = out;
		this.order = order;
	}

	/** Translates the message that the input has from its position to its limit. */
	void message(MessageType type) {
		if (type.form() != MessageType.Form.ENTRY && ++this.depth > Format.MAX_DEPTH) {
			throw PathException.tooDeep(Format.MAX_DEPTH);
		}
		this.order.sort(this.in, type);
		switch (type.form()) {
			case OBJECT -> {
				this.out.writeStartObject();
				fields(type);
				this.out.writeEndObject();
			}
			case ANY -> any(type);
			case STRUCT -> {
				this.out.writeStartObject();
				while (next(type) != null) {
					entries(type.require(1));
				}
				this.out.writeEndObject();
			}
			case LIST -> {
				this.out.writeStartArray();
				int index = 0;
				while (next(type) != null) {
					index = elements(type.require(1), index);
				}
				this.out.writeEndArray();
			}
			case VALUE -> member(type);
			case WRAPPER -> {
				if (next(type) != null) {
					value(type.require(1));
				}
				else {
					zero(type.require(1));
				}
			}
			case ENTRY -> entry(type);
			case TIMESTAMP, DURATION -> time(type);
			case FIELD_MASK -> paths(type);
		}
		this.depth -= (type.form() != MessageType.Form.ENTRY) ? 1 : 0;
	}

	/**
	 * Reads the tag of the next field that the type has. Returns null at the end of the
	 * message.
	 */
	private @Nullable MessageField next(MessageType type) {
		while (this.in.hasMore()) {
			this.tag = this.in.readTag();
			MessageField field = type.field(this.tag >>> 3);
			if (field != null && field.accepts(this.tag)) {
				return field;
			}
			this.in.skip(this.tag);
		}
		return null;
	}

	/** Reads the next tag if it is of the same field. */
	private boolean hasMore(MessageField field) {
		if (!this.in.hasMore()) {
			return false;
		}
		int before = this.in.position;
		int next = this.in.readTag();
		if (next >>> 3 != field.number()) {
			this.in.position = before;
			return false;
		}
		this.tag = next;
		return true;
	}

	private void fields(MessageType type) {
		String before = (this.depth == 1) ? " " : ".";
		for (MessageField field = next(type); field != null; field = next(type)) {
			try {
				field(field);
			}
			catch (RuntimeException ex) {
				throw JsonStreams.at(before + field.jsonName().getValue(), ex);
			}
		}
	}

	private void field(MessageField field) {
		if (field.isMap()) {
			this.out.writeName(field.jsonName());
			this.out.writeStartObject();
			entries(field);
			this.out.writeEndObject();
		}
		else if (field.isRepeated()) {
			this.out.writeName(field.jsonName());
			this.out.writeStartArray();
			elements(field, 0);
			this.out.writeEndArray();
		}
		else if (!isAbsent(field)) {
			this.out.writeName(field.jsonName());
			value(field);
		}
	}

	/** Returns true for zero, or an empty value, that is as an absent one. Skips it. */
	private boolean isAbsent(MessageField field) {
		if (field.hasPresence()) {
			return false;
		}
		int before = this.in.position;
		if (field.kind().isNumber() ? field.kind().read(this.in) == 0 : this.in.readPairEnd() == this.in.position) {
			return true;
		}
		this.in.position = before;
		return false;
	}

	/** Writes the value behind the tag. */
	private void value(MessageField field) {
		switch (field.kind()) {
			case MESSAGE -> nested(field.type());
			case STRING -> this.out.writeString(this.in.readString());
			case BYTES -> {
				int end = this.in.readPairEnd();
				this.out.writeBinary(this.in.array, this.in.position, end - this.in.position);
				this.in.position = end;
			}
			default -> number(field, field.kind().read(this.in));
		}
	}

	/** Writes the message, or the entry, whose length is next. */
	private void nested(MessageType type) {
		int end = this.in.readPairEnd();
		byte[] array = this.in.array;
		int limit = this.in.limit;
		this.in.limit = end;
		message(type);
		this.in.array = array;
		this.in.limit = limit;
		this.in.position = end;
	}

	private void number(MessageField field, long bits) {
		switch (field.kind()) {
			case DOUBLE -> this.out.writeNumber(Double.longBitsToDouble(bits));
			case FLOAT -> this.out.writeNumber(Float.intBitsToFloat((int) bits));
			case BOOL -> this.out.writeBoolean(bits != 0);
			case ENUM -> constant(field.names(), (int) bits);
			default -> {
				if (field.kind().isLong()) {
					this.out.writeString(field.kind().text(bits));
				}
				else {
					this.out.writeNumber(bits);
				}
			}
		}
	}

	private void constant(EnumNames names, int number) {
		String name = names.names().get(number);
		if (names.isNull()) {
			this.out.writeNull();
		}
		else if (name != null) {
			this.out.writeString(name);
		}
		else {
			this.out.writeNumber(number);
		}
	}

	/** Writes the value of a field that a message of a fixed form, or an entry, lacks. */
	private void zero(MessageField field) {
		this.in.ofZeros((zeros) -> {
			value(field);
			return null;
		});
	}

	/**
	 * Writes the elements of a field, whose first tag was read.
	 * @return the index of the next element
	 */
	private int elements(MessageField field, int first) {
		int index = first;
		try {
			do {
				if (!field.isPacked(this.tag)) {
					value(field);
					index++;
					continue;
				}
				int outside = this.in.enterPacked();
				while (this.in.hasMore()) {
					number(field, field.kind().read(this.in));
					index++;
				}
				this.in.leavePacked(outside);
			}
			while (hasMore(field));
			return index;
		}
		catch (RuntimeException ex) {
			throw JsonStreams.at("[" + index + "]", ex);
		}
	}

	/** Writes the entries of a map, whose first tag was read. */
	private void entries(MessageField field) {
		do {
			nested(field.type());
		}
		while (hasMore(field));
	}

	private void entry(MessageType type) {
		MessageField key = type.require(1);
		MessageField value = type.require(2);
		MessageField next = next(type);
		String name = "";
		if (next == key) {
			name = (key.kind() == FieldKind.STRING) ? this.in.readString() : name(key, key.kind().read(this.in));
			next = next(type);
		}
		else if (key.kind() != FieldKind.STRING) {
			name = name(key, 0);
		}
		try {
			this.out.writeName(name);
			if (next == value) {
				value(value);
			}
			else {
				zero(value);
			}
		}
		catch (RuntimeException ex) {
			throw JsonStreams.at("[\"" + PrintableText.of(name) + "\"]", ex);
		}
	}

	private static String name(MessageField key, long bits) {
		return (key.kind() == FieldKind.BOOL) ? Boolean.toString(bits != 0) : key.kind().text(bits);
	}

	private void member(MessageType type) {
		MessageField member = next(type);
		if (member == null) {
			this.out.writeNull();
			return;
		}
		if (member.kind() == FieldKind.DOUBLE) {
			double value = Double.longBitsToDouble(member.kind().read(this.in));
			if (!Double.isFinite(value)) {
				throw JsonScalars.refused(Double.toString(value), "a finite number, because a Value has no other");
			}
			this.out.writeNumber(value);
			return;
		}
		value(member);
	}

	private void time(MessageType type) {
		long seconds = 0;
		int nanos = 0;
		for (MessageField field = next(type); field != null; field = next(type)) {
			long value = field.kind().read(this.in);
			if (field.number() == 1) {
				seconds = value;
			}
			else {
				nanos = (int) value;
			}
		}
		TimeText time = new TimeText(seconds, nanos);
		boolean isTimestamp = type.form() == MessageType.Form.TIMESTAMP;
		if (isTimestamp ? !time.isTimestamp() : !time.isDuration()) {
			throw JsonScalars.refused("%d seconds, %d nanoseconds".formatted(seconds, nanos),
					isTimestamp ? TimeText.TIMESTAMP : TimeText.DURATION);
		}
		this.out.writeString(isTimestamp ? time.timestamp() : time.duration());
	}

	/** Writes paths with commas between, whose names become camel case. */
	private void paths(MessageType type) {
		StringBuilder text = new StringBuilder();
		while (next(type) != null) {
			String path = this.in.readString();
			boolean isNext = false;
			text.append((text.isEmpty() || path.isEmpty()) ? "" : ",");
			for (int i = 0; i < path.length(); i++) {
				char c = path.charAt(i);
				if (c != '_') {
					text.append(isNext ? Character.toUpperCase(c) : Character.toLowerCase(c));
				}
				isNext = c == '_';
			}
		}
		this.out.writeString(text.toString());
	}

	private void any(MessageType type) {
		String url = "";
		int start = this.in.position;
		int end = start;
		for (MessageField field = next(type); field != null; field = next(type)) {
			if (field.number() == 1) {
				url = this.in.readString();
			}
			else {
				end = this.in.readPairEnd();
				start = this.in.position;
				this.in.position = end;
			}
		}
		this.out.writeStartObject();
		if (!url.isEmpty() || start < end) {
			MessageType content = this.types.require(url);
			this.out.writeName("@type");
			this.out.writeString(url);
			this.in.position = start;
			this.in.limit = end;
			if (content.form() == MessageType.Form.OBJECT) {
				this.order.sort(this.in, content);
				fields(content);
			}
			else {
				this.out.writeName("value");
				message(content);
			}
		}
		this.out.writeEndObject();
	}

}
