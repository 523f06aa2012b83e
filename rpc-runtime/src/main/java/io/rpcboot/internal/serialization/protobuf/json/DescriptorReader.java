package io.rpcboot.internal.serialization.protobuf.json;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rpcboot.serialization.ProtoDescriptor;

/**
 * Reads files as {@code FileDescriptorProto}. The numbers are those of protobuf's
 * {@code descriptor.proto}. Types are linked after all files were read. For one thread.
 */
public final class DescriptorReader {

	private static final int REPEATED = 3;

	private static final int IMPLICIT = 2;

	private static final int DELIMITED = 2;

	private static final int IDEMPOTENCY_LEVEL = 34;

	private static final int NO_SIDE_EFFECTS = 1;

	private final Map<String, MessageType> messages = new HashMap<>();

	private final Map<String, EnumNames> enums = new HashMap<>();

	private final Map<String, Signature> methods = new HashMap<>();

	private final List<Runnable> links = new ArrayList<>();

	private final Set<String> files = new HashSet<>();

	/**
	 * Reads files with all that they import.
	 * @throws IllegalArgumentException if a file names a type that no file has
	 */
	public void read(Collection<ProtoDescriptor> all) {
		all.forEach(this::file);
		this.links.forEach(Runnable::run);
		this.links.clear();
	}

	/** Returns the messages by full name. */
	public Map<String, MessageType> messages() {
		return Map.copyOf(this.messages);
	}

	/** Returns the methods by names such as {@code acme.Users/Find}. */
	public Map<String, Signature> methods() {
		return Map.copyOf(this.methods);
	}

	private void file(ProtoDescriptor file) {
		if (!this.files.add(file.name())) {
			return;
		}
		file.imports().forEach(this::file);
		RawMessage raw = new RawMessage(file.descriptor());
		String prefix = raw.text(2).isEmpty() ? "" : raw.text(2) + ".";
		Features syntax = new Features(!raw.text(12).equals("proto3"), false);
		Features features = Features.of(raw.message(8).message(50), syntax);
		raw.messages(4).forEach((each) -> message(each, prefix, features));
		raw.messages(5).forEach((each) -> enumeration(each, prefix));
		for (RawMessage service : raw.messages(6)) {
			for (RawMessage each : service.messages(2)) {
				this.methods.put(prefix + service.text(1) + "/" + each.text(1), new Signature(absolute(each.text(2)),
						absolute(each.text(3)), each.message(4).number(IDEMPOTENCY_LEVEL, 0) == NO_SIDE_EFFECTS));
			}
		}
	}

	private void message(RawMessage raw, String prefix, Features features) {
		String name = prefix + raw.text(1);
		MessageType type = new MessageType(name);
		this.messages.put(name, type);
		raw.messages(3).forEach((each) -> message(each, name + ".", features));
		raw.messages(4).forEach((each) -> enumeration(each, name + "."));
		this.links.add(() -> {
			List<MessageField> fields = new ArrayList<>();
			for (RawMessage each : raw.messages(2)) {
				FieldKind kind = FieldKind.of((int) each.number(5, 0));
				Features own = Features.of(each.message(8).message(21), features);
				// groups are neither read nor written
				if (kind != FieldKind.GROUP && !(kind == FieldKind.MESSAGE && own.isDelimited)) {
					fields.add(field(each, kind, own, name));
				}
			}
			type.link(fields, raw.message(7).number(7, 0) != 0);
		});
	}

	private MessageField field(RawMessage raw, FieldKind kind, Features features, String message) {
		String type = absolute(raw.text(6));
		MessageType ofMessage = this.messages.get(type);
		EnumNames ofEnum = this.enums.get(type);
		if ((kind == FieldKind.MESSAGE && ofMessage == null) || (kind == FieldKind.ENUM && ofEnum == null)) {
			throw new IllegalArgumentException(
					"%s.%s: the type '%s' is in none of the files (expected: in one, or in their imports)"
						.formatted(message, raw.text(1), type));
		}
		String json = raw.text(10).isEmpty() ? jsonName(raw.text(1)) : raw.text(10);
		boolean isRepeated = raw.number(4, 0) == REPEATED;
		int choice = (int) raw.number(9, -1);
		return new MessageField(raw.text(1), json, (int) raw.number(3, 0), kind, isRepeated,
				!isRepeated && (kind == FieldKind.MESSAGE || choice >= 0 || features.isExplicit), choice, ofMessage,
				ofEnum);
	}

	/**
	 * Returns a name without the dot in front, which means that the name is a full one.
	 */
	private static String absolute(String type) {
		return type.startsWith(".") ? type.substring(1) : type;
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

	private void enumeration(RawMessage raw, String prefix) {
		EnumNames type = new EnumNames(prefix + raw.text(1));
		raw.messages(2).forEach((each) -> type.add(each.text(1), (int) each.number(2, 0)));
		this.enums.put(type.name(), type);
	}

	/**
	 * Messages of a method.
	 *
	 * @param request full name of the request
	 * @param response full name of the response
	 * @param isSafe true if the file declares that it has no side effects
	 */
	public record Signature(String request, String response, boolean isSafe) {

	}

	/**
	 * Rules of a file, or of a field.
	 *
	 * @param isExplicit true if fields have presence, the rule of all syntaxes except
	 * proto3
	 * @param isDelimited true if messages are groups on the wire
	 */
	private record Features(boolean isExplicit, boolean isDelimited) {

		/** Returns rules that override others. */
		static Features of(RawMessage raw, Features others) {
			long presence = raw.number(1, others.isExplicit() ? 1 : IMPLICIT);
			return new Features(presence != IMPLICIT, raw.number(5, others.isDelimited() ? DELIMITED : 1) == DELIMITED);
		}

	}

}
