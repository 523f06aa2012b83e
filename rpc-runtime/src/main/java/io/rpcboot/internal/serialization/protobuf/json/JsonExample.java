package io.rpcboot.internal.serialization.protobuf.json;

import io.rpcboot.internal.serialization.protobuf.json.MessageType.Form;

/**
 * Message in JSON with a value for each field: a form for a person to fill in. It can be
 * read as it is; null stands for a value that is absent.
 */
final class JsonExample {

	/** Messages within each other. */
	private static final int MAX_DEPTH = 3;

	/** Length from which on no message is written within another. */
	private static final int MAX_LENGTH = 4096;

	private final StringBuilder json = new StringBuilder();

	private JsonExample() {
	}

	static String of(MessageType type) {
		JsonExample example = new JsonExample();
		example.object(type, 1);
		return example.json.toString();
	}

	private void object(MessageType type, int depth) {
		this.json.append('{');
		for (int i = 0; i < type.size(); i++) {
			MessageField field = type.at(i);
			this.json.append((i > 0) ? ",\"" : "\"").append(field.jsonName().asQuotedChars()).append("\":");
			if (isOneOfSeveral(type, field)) {
				this.json.append("null");
			}
			else {
				value(field, depth);
			}
		}
		this.json.append('}');
	}

	/** Returns true for a member of a {@code oneof} with others. */
	private static boolean isOneOfSeveral(MessageType type, MessageField field) {
		int members = 0;
		for (int i = 0; i < type.size(); i++) {
			members += (field.choice() >= 0 && type.at(i).choice() == field.choice()) ? 1 : 0;
		}
		return members > 1;
	}

	private void value(MessageField field, int depth) {
		if (field.isMap()) {
			this.json.append("{}");
		}
		else if (field.isRepeated()) {
			this.json.append("[]");
		}
		else if (field.acceptsNull()) {
			this.json.append("null");
		}
		else if (field.kind() != FieldKind.MESSAGE) {
			this.json.append(scalar(field));
		}
		else if (field.type().form() == Form.OBJECT && depth < MAX_DEPTH && this.json.length() < MAX_LENGTH) {
			object(field.type(), depth + 1);
		}
		else {
			this.json.append("null");
		}
	}

	private static String scalar(MessageField field) {
		return switch (field.kind()) {
			case STRING, BYTES -> "\"\"";
			case BOOL -> "false";
			case ENUM -> "\"" + field.names().numbers().keySet().iterator().next() + "\"";
			default -> field.kind().isLong() ? "\"0\"" : "0";
		};
	}

}
