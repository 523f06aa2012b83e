package io.rpcboot.internal.serialization.protobuf.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.rpcboot.serialization.ProtoDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * File of declarations: the services of one package with their messages and enums.
 * Immutable.
 *
 * @param name path of the file
 * @param packageName package of its names
 * @param services services by name
 * @param messages messages: requests and responses by name, then the others
 * @param enums enums by name
 * @param imports imported files
 * @param goPackage value of {@code go_package}; null for none
 */
public record ProtoFile(String name, String packageName, List<ServiceDeclaration> services,
		List<MessageDeclaration> messages, List<EnumDeclaration> enums, List<ProtoDescriptor> imports,
		@Nullable String goPackage) {

	/** Types that readers of one another accept, if the number is in the range. */
	private static final Set<String> VARINTS = Set.of("bool", "int32", "int64", "uint32");

	/** Line of a field with its type and number. */
	private static final Pattern FIELD = Pattern.compile("\\s+(?:optional )?(\\S.*) \\w+ = (\\d+);");

	/** Returns the file with another value of {@code go_package}. */
	public ProtoFile withGoPackage(@Nullable String value) {
		return new ProtoFile(this.name, this.packageName, this.services, this.messages, this.enums, this.imports,
				value);
	}

	/** Returns the full names of services, their methods, messages and enums. */
	public List<String> symbols() {
		List<String> names = new ArrayList<>();
		for (ServiceDeclaration service : this.services) {
			names.add(service.name());
			service.methods().forEach((each) -> names.add(service.name() + "." + each.name()));
		}
		this.messages.forEach((each) -> names.add(each.name()));
		this.enums.forEach((each) -> names.add(each.name()));
		names.replaceAll(this::full);
		return names;
	}

	/** Returns the full name of a declaration. */
	public String full(String name) {
		return this.packageName.isEmpty() ? name : this.packageName + "." + name;
	}

	/** Returns the package of classes that are generated from the file. */
	String javaPackage() {
		return this.packageName.isEmpty() ? "proto" : this.packageName + ".proto";
	}

	/** Returns the file as a {@code FileDescriptorProto}. */
	public ProtoDescriptor descriptor() {
		return new ProtoDescriptor(this.name, new DescriptorWriter(this).write(), symbols(), this.imports);
	}

	/** Returns the text of the file. */
	public String text() {
		StringJoiner text = new StringJoiner("\n");
		text.add("syntax = \"proto3\";\n");
		if (!this.packageName.isEmpty()) {
			text.add("package %s;\n".formatted(this.packageName));
		}
		if (!this.imports.isEmpty()) {
			this.imports.forEach((each) -> text.add("import \"%s\";".formatted(each.name())));
			text.add("");
		}
		if (this.goPackage != null) {
			text.add("option go_package = \"%s\";".formatted(this.goPackage));
		}
		text.add("option java_multiple_files = true;");
		text.add("option java_package = \"%s\";".formatted(javaPackage()));
		this.services.forEach((each) -> text.add(text(each)));
		this.messages.forEach((each) -> text.add(text(each)));
		this.enums.forEach((each) -> text.add(text(each)));
		return text.add("").toString();
	}

	/**
	 * Returns the numbers whose fields have another type than in an earlier text of the
	 * file, which clients of that text would misread: texts such as
	 * {@code message User: 3 is string, was int64}.
	 */
	public List<String> changedTypes(String earlier) {
		Map<String, String> types = types(text());
		List<String> changed = new ArrayList<>();
		types(earlier).forEach((field, type) -> {
			String now = types.getOrDefault(field, type);
			if (!now.equals(type) && !(VARINTS.contains(now) && VARINTS.contains(type))) {
				changed.add("%s is %s, was %s".formatted(field, now, type));
			}
		});
		return changed;
	}

	private static Map<String, String> types(String text) {
		Map<String, String> types = new LinkedHashMap<>();
		String message = "";
		for (String each : text.lines().toList()) {
			Matcher field = FIELD.matcher(each);
			if (each.startsWith("message ")) {
				message = each.substring(0, each.indexOf(" {")) + ": ";
			}
			else if (field.matches()) {
				types.put(message + field.group(2), field.group(1));
			}
		}
		return types;
	}

	private String text(ServiceDeclaration service) {
		List<String> names = service.methods().stream().map(ServiceDeclaration.Method::name).toList();
		String type = service.type();
		String head = type.replace('$', '.').equals(full(service.name())) ? "" : ProtoSource.INTERFACE + type + "\n";
		List<String> lines = new ArrayList<>();
		for (ServiceDeclaration.Method each : service.methods()) {
			if (!each.exceptions().isEmpty()) {
				lines.add("  // Declared exceptions: %s".formatted(each.exceptions()
					.stream()
					.map((thrown) -> thrown.within(this.packageName, List.of()))
					.collect(Collectors.joining(", "))));
			}
			lines.add("  rpc %s(%s%s) returns (%s%s)%s".formatted(each.name(),
					each.streams().ofRequests() ? "stream " : "", each.request().within(this.packageName, names),
					each.streams().ofResponses() ? "stream " : "", each.response().within(this.packageName, names),
					each.isSafe() ? " {\n    option idempotency_level = NO_SIDE_EFFECTS;\n  }" : ";"));
		}
		return lines.stream()
			.collect(Collectors.joining("\n", "\n%sservice %s {\n".formatted(head, service.name()), "\n}"));
	}

	private String text(MessageDeclaration message) {
		List<String> lines = new ArrayList<>();
		if (!message.reserved().isEmpty()) {
			lines.add(reserved(message.reserved()));
		}
		List<String> nested = message.fields()
			.stream()
			.filter((each) -> each.key() != null)
			.map(FieldDeclaration::entryName)
			.toList();
		String indent = "  ";
		for (FieldDeclaration each : message.fields()) {
			if (each.label() == FieldDeclaration.Label.CHOICE && indent.length() == 2) {
				lines.add("  oneof %s {".formatted(MessageDeclaration.CHOICE));
				indent = "    ";
			}
			for (String form : each.forms()) {
				lines.add(indent + "// " + form);
			}
			lines.add(indent + text(each, nested));
		}
		if (message.isChoice()) {
			lines.add("  }");
		}
		String head = "\nmessage %s {".formatted(message.name());
		return lines.isEmpty() ? head + "}" : lines.stream().collect(Collectors.joining("\n", head + "\n", "\n}"));
	}

	private String text(FieldDeclaration field, List<String> nested) {
		String type = field.type().within(this.packageName, nested);
		String label = switch (field.label()) {
			case OPTIONAL -> "optional ";
			case REPEATED -> "repeated ";
			case IMPLICIT, CHOICE -> "";
		};
		return "%s %s = %d;".formatted(
				(field.key() != null) ? "map<%s, %s>".formatted(field.key().name(), type) : label + type, field.name(),
				field.number());
	}

	private static String text(EnumDeclaration type) {
		String head = "\nenum %s {\n".formatted(type.name())
				+ (type.reserved().isEmpty() ? "" : reserved(type.reserved()) + "\n");
		return type.constants()
			.stream()
			.map((each) -> "  %s = %d;".formatted(each.name(), each.number()))
			.collect(Collectors.joining("\n", head, "\n}"));
	}

	private static String reserved(List<Integer> numbers) {
		return numbers.stream().map(String::valueOf).collect(Collectors.joining(", ", "  reserved ", ";"));
	}

}
