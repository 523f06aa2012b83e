package io.rpcboot.internal.serialization.protobuf.json;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Type of messages: its name and its fields. Linked once, because types may contain each
 * other; unchanged afterwards.
 */
public final class MessageType {

	private static final String PACKAGE = "google.protobuf.";

	private static final Map<String, Form> FORMS = Map.of("Any", Form.ANY, "Struct", Form.STRUCT, "Value", Form.VALUE,
			"ListValue", Form.LIST, "Timestamp", Form.TIMESTAMP, "Duration", Form.DURATION, "FieldMask",
			Form.FIELD_MASK);

	private static final Set<String> WRAPPERS = Set.of("BoolValue", "BytesValue", "DoubleValue", "FloatValue",
			"Int32Value", "Int64Value", "StringValue", "UInt32Value", "UInt64Value");

	private final String name;

	private Form form;

	/** Fields in the order of their numbers. */
	private MessageField[] fields = {};

	/** Indexes of fields by both names. */
	private final Map<String, Integer> indexes = new HashMap<>();

	private final List<String> names = new ArrayList<>();

	private int choices;

	MessageType(String name) {
		this.name = name;
		String simple = name.startsWith(PACKAGE) ? name.substring(PACKAGE.length()) : "";
		this.form = WRAPPERS.contains(simple) ? Form.WRAPPER : FORMS.getOrDefault(simple, Form.OBJECT);
	}

	/**
	 * Sets the fields.
	 * @param all fields in any order
	 * @param ofMap true for the entry of a map
	 */
	void link(List<MessageField> all, boolean ofMap) {
		List<MessageField> sorted = new ArrayList<>(all);
		sorted.sort(Comparator.comparingInt(MessageField::number));
		this.fields = sorted.toArray(MessageField[]::new);
		this.form = ofMap ? Form.ENTRY : this.form;
		for (int i = 0; i < this.fields.length; i++) {
			this.indexes.put(this.fields[i].name(), i);
			this.choices = Math.max(this.choices, this.fields[i].choice() + 1);
		}
		for (int i = 0; i < this.fields.length; i++) {
			this.names.add(this.fields[i].jsonName().getValue());
			this.indexes.put(this.names.get(i), i);
		}
	}

	/** Returns the full name. */
	public String name() {
		return this.name;
	}

	public Form form() {
		return this.form;
	}

	/** Returns the number of fields. */
	public int size() {
		return this.fields.length;
	}

	/** Returns the number of {@code oneof}s. */
	int choices() {
		return this.choices;
	}

	/** Returns the names in JSON, in the order of the numbers. */
	public List<String> names() {
		return this.names;
	}

	/** Returns the index of the field with a name, either of its two. Null for none. */
	@Nullable Integer index(String either) {
		return this.indexes.get(either);
	}

	/** Returns a field by its place in the order of the numbers. */
	public MessageField at(int index) {
		return this.fields[index];
	}

	/** Returns the field with a number, null for none. */
	@Nullable MessageField field(int number) {
		int low = 0;
		int high = this.fields.length - 1;
		if (number >= 1 && number <= this.fields.length && this.fields[number - 1].number() == number) {
			return this.fields[number - 1];
		}
		while (low <= high) {
			int middle = (low + high) >>> 1;
			int found = this.fields[middle].number();
			if (found == number) {
				return this.fields[middle];
			}
			if (found < number) {
				low = middle + 1;
			}
			else {
				high = middle - 1;
			}
		}
		return null;
	}

	/** Returns a field that a message of protobuf itself must have. */
	public MessageField require(int number) {
		MessageField field = field(number);
		if (field == null) {
			throw new IllegalStateException("%s without field %d (expected: with it)".formatted(this.name, number));
		}
		return field;
	}

	/**
	 * Form of a message in JSON: an object, an entry of one, or that of a message of
	 * protobuf itself.
	 */
	public enum Form {

		OBJECT, ENTRY, ANY, STRUCT, VALUE, LIST, TIMESTAMP, DURATION, FIELD_MASK, WRAPPER

	}

}
