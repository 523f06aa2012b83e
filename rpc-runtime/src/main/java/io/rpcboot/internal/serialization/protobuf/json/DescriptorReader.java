package io.rpcboot.internal.serialization.protobuf.json;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.serialization.ProtoDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Reads files as {@code FileDescriptorProto}. The numbers are those of protobuf's
 * {@code descriptor.proto}. Types are linked after all files were read. For one thread.
 */
final class DescriptorReader {

	private static final int LENGTH = WireFormat.WIRETYPE_LENGTH_DELIMITED;

	private final Map<String, MessageType> messages = new HashMap<>();

	private final Map<String, EnumNames> enums = new HashMap<>();

	private final Map<String, Signature> methods = new HashMap<>();

	private final List<Runnable> links = new ArrayList<>();

	private final Set<String> files = new HashSet<>();

	private ProtobufInput in = new ProtobufInput(new byte[0], 0, 0);

	/** Reads files with all that they import. */
	void read(Collection<ProtoDescriptor> all) {
		all.forEach(this::file);
		this.links.forEach(Runnable::run);
		this.links.clear();
	}

	Map<String, MessageType> messages() {
		return Map.copyOf(this.messages);
	}

	/** Returns the methods by names such as {@code acme.Users/Find}. */
	Map<String, Signature> methods() {
		return Map.copyOf(this.methods);
	}

	private void file(ProtoDescriptor file) {
		if (!this.files.add(file.name())) {
			return;
		}
		file.imports().forEach(this::file);
		Features features = new Features();
		String[] prefix = { "" };
		this.in = new ProtobufInput(file.descriptor(), 0, file.descriptor().length);
		fields((tag) -> {
			switch (tag) {
				case 2 << 3 | LENGTH -> prefix[0] = this.in.readString() + ".";
				case 4 << 3 | LENGTH -> message(prefix[0], features);
				case 5 << 3 | LENGTH -> enumeration(prefix[0]);
				case 6 << 3 | LENGTH -> service(prefix[0]);
				case 8 << 3 | LENGTH -> options(features, 50);
				case 12 << 3 | LENGTH -> features.isProto3 = this.in.readString().equals("proto3");
				default -> this.in.skip(tag);
			}
		});
	}

	/** Reads the fields up to the end of the message. */
	private void fields(IntConsumer reader) {
		while (this.in.hasMore()) {
			reader.accept(this.in.readTag());
		}
	}

	/** Reads the fields of the message whose length is next. */
	private void nested(IntConsumer reader) {
		int outside = this.in.enterMessage();
		fields(reader);
		this.in.leaveMessage(outside);
	}

	/**
	 * Reads options.
	 * @param number number of the features in them
	 */
	private void options(Features features, int number) {
		nested((tag) -> {
			if (tag != (number << 3 | LENGTH)) {
				this.in.skip(tag);
				return;
			}
			nested((feature) -> {
				switch (feature) {
					case 1 << 3 -> features.presence = this.in.readInt32();
					case 5 << 3 -> features.isDelimited = this.in.readInt32() == 2;
					default -> this.in.skip(feature);
				}
			});
		});
	}

	private void message(String prefix, Features features) {
		String[] name = { prefix };
		boolean[] isMap = { false };
		List<Field> fields = new ArrayList<>();
		nested((tag) -> {
			switch (tag) {
				case 1 << 3 | LENGTH -> name[0] = prefix + this.in.readString();
				case 2 << 3 | LENGTH -> fields.add(field());
				case 3 << 3 | LENGTH -> message(name[0] + ".", features);
				case 4 << 3 | LENGTH -> enumeration(name[0] + ".");
				case 7 << 3 | LENGTH -> nested((option) -> {
					if (option == 7 << 3) {
						isMap[0] = this.in.readBool();
					}
					else {
						this.in.skip(option);
					}
				});
				default -> this.in.skip(tag);
			}
		});
		MessageType type = new MessageType(name[0]);
		this.messages.put(name[0], type);
		this.links.add(() -> {
			List<MessageField> linked = new ArrayList<>();
			for (Field each : fields) {
				if (!each.isGroup(features)) {
					linked.add(link(each, name[0], features));
				}
			}
			type.link(linked, isMap[0]);
		});
	}

	private Field field() {
		Field field = new Field();
		nested((tag) -> {
			switch (tag) {
				case 1 << 3 | LENGTH -> field.name = this.in.readString();
				case 3 << 3 -> field.number = this.in.readInt32();
				case 4 << 3 -> field.label = this.in.readInt32();
				case 5 << 3 -> field.kind = FieldKind.of(this.in.readInt32());
				case 6 << 3 | LENGTH -> field.type = this.in.readString();
				case 8 << 3 | LENGTH -> options(field.features, 21);
				case 9 << 3 -> field.choice = this.in.readInt32();
				case 10 << 3 | LENGTH -> field.jsonName = this.in.readString();
				default -> this.in.skip(tag);
			}
		});
		return field;
	}

	private MessageField link(Field field, String message, Features features) {
		String type = field.type.startsWith(".") ? field.type.substring(1) : field.type;
		MessageType ofMessage = this.messages.get(type);
		EnumNames ofEnum = this.enums.get(type);
		if ((field.kind == FieldKind.MESSAGE && ofMessage == null)
				|| (field.kind == FieldKind.ENUM && ofEnum == null)) {
			throw new IllegalArgumentException(
					"%s.%s: the type '%s' is in none of the files (expected: in one, or in their imports)"
						.formatted(message, field.name, type));
		}
		String json = (field.jsonName != null) ? field.jsonName : jsonName(field.name);
		return new MessageField(field.name, json, field.number, field.kind, field.label == Field.REPEATED,
				field.hasPresence(features), field.choice, ofMessage, ofEnum);
	}

	/** Returns the name in JSON that protoc gives to a field. */
	private static String jsonName(String name) {
		StringBuilder json = new StringBuilder();
		boolean isNext = false;
		for (int i = 0; i < name.length(); i++) {
			char c = name.charAt(i);
			if (c != '_') {
				json.append((isNext && c >= 'a' && c <= 'z') ? (char) (c - 'a' + 'A') : c);
			}
			isNext = c == '_';
		}
		return json.toString();
	}

	private void enumeration(String prefix) {
		List<String> names = new ArrayList<>();
		List<Integer> numbers = new ArrayList<>();
		String[] name = { prefix };
		nested((tag) -> {
			switch (tag) {
				case 1 << 3 | LENGTH -> name[0] = prefix + this.in.readString();
				case 2 << 3 | LENGTH -> {
					numbers.add(0);
					nested((part) -> {
						switch (part) {
							case 1 << 3 | LENGTH -> names.add(this.in.readString());
							case 2 << 3 -> numbers.set(numbers.size() - 1, this.in.readInteger());
							default -> this.in.skip(part);
						}
					});
				}
				default -> this.in.skip(tag);
			}
		});
		EnumNames type = new EnumNames(name[0]);
		for (int i = 0; i < names.size(); i++) {
			type.add(names.get(i), numbers.get(i));
		}
		this.enums.put(name[0], type);
	}

	private void service(String prefix) {
		String[] service = { prefix };
		nested((tag) -> {
			switch (tag) {
				case 1 << 3 | LENGTH -> service[0] = prefix + this.in.readString();
				case 2 << 3 | LENGTH -> {
					String[] parts = { "", "", "" };
					nested((part) -> {
						if (part == (1 << 3 | LENGTH) || part == (2 << 3 | LENGTH) || part == (3 << 3 | LENGTH)) {
							parts[(part >>> 3) - 1] = this.in.readString();
						}
						else {
							this.in.skip(part);
						}
					});
					this.methods.put(service[0] + "/" + parts[0],
							new Signature(parts[1].substring(1), parts[2].substring(1)));
				}
				default -> this.in.skip(tag);
			}
		});
	}

	/**
	 * Messages of a method.
	 *
	 * @param request full name of the request
	 * @param response full name of the response
	 */
	record Signature(String request, String response) {

	}

	/** Rules of a file, or of a field that has its own. */
	private static final class Features {

		private static final int IMPLICIT = 2;

		private boolean isProto3;

		/** Presence of fields, 0 for the rule of the file or of its syntax. */
		private int presence;

		/** True if messages are groups on the wire. */
		private boolean isDelimited;

	}

	/** Field that is not linked yet. */
	private static final class Field {

		private static final int REPEATED = 3;

		private String name = "";

		private @Nullable String jsonName;

		private int number;

		private int label;

		private FieldKind kind = FieldKind.MESSAGE;

		private String type = "";

		private int choice = -1;

		private final Features features = new Features();

		private boolean isGroup(Features ofFile) {
			return this.kind == FieldKind.GROUP
					|| (this.kind == FieldKind.MESSAGE && (ofFile.isDelimited || this.features.isDelimited));
		}

		private boolean hasPresence(Features ofFile) {
			int presence = (this.features.presence != 0) ? this.features.presence : ofFile.presence;
			return this.label != REPEATED && (this.kind == FieldKind.MESSAGE || this.choice >= 0
					|| (presence != Features.IMPLICIT && !ofFile.isProto3));
		}

	}

}
