package io.rpcboot.internal.serialization.protobuf.schema;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.rpcboot.internal.serialization.protobuf.schema.ProtoSource.Field;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoSource.Message;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoSource.Method;
import org.jspecify.annotations.Nullable;

/**
 * Compares a file with the files that others have for the same services: methods,
 * numbers, types on the wire, and which number belongs to a name. What only the others
 * have is no difference.
 */
public final class ProtoMatch {

	/**
	 * Types that read one another, by type. Types of others that are not here are not
	 * carried.
	 */
	private static final Map<String, String> KINDS = Map.ofEntries(Map.entry("double", "double"),
			Map.entry("float", "float"), Map.entry("int32", "number of 32 bits"),
			Map.entry("uint32", "number of 32 bits"), Map.entry("int64", "number of 64 bits"),
			Map.entry("uint64", "number of 64 bits"), Map.entry("bool", "bool"), Map.entry("string", "string"),
			Map.entry("bytes", "bytes"));

	private static final Set<String> UNCARRIED = Set.of("sint32", "sint64", "fixed32", "fixed64", "sfixed32",
			"sfixed64");

	private final ProtoSource own;

	private final Map<String, Message> messages = new LinkedHashMap<>();

	private final Map<String, Map<String, Integer>> enums = new LinkedHashMap<>();

	private final Map<String, List<Method>> services = new LinkedHashMap<>();

	private final Map<String, String> packages = new LinkedHashMap<>();

	private final List<String> differences = new ArrayList<>();

	private final Set<String> compared = new HashSet<>();

	private ProtoMatch(ProtoFile own, List<ProtoSource> others) {
		this.own = ProtoSource.parse(own.name(), own.text());
		for (ProtoSource each : others) {
			this.messages.putAll(each.messages);
			this.enums.putAll(each.enums);
			this.services.putAll(each.services);
			each.services.keySet().forEach((service) -> this.packages.put(service, each.packageName));
		}
	}

	/**
	 * Compares services.
	 * @param services full names of the services to compare
	 * @param others files of others, with those that they import
	 * @return a text for each difference
	 */
	public static List<String> differences(ProtoFile own, List<String> services, List<ProtoSource> others) {
		ProtoMatch match = new ProtoMatch(own, others);
		services.forEach(match::service);
		return match.differences;
	}

	private void service(String name) {
		List<Method> theirs = this.services.get(name);
		if (theirs == null) {
			this.differences.add("service %s: missing (expected: one of %s)".formatted(name, this.services.keySet()));
			return;
		}
		for (Method each : this.own.services.getOrDefault(name, List.of())) {
			Method other = theirs.stream()
				.filter((method) -> method.name().equals(each.name()))
				.findFirst()
				.orElse(null);
			String path = name + "/" + each.name();
			if (other == null) {
				this.differences.add("%s: missing (expected: one of %s)".formatted(path,
						theirs.stream().map(Method::name).toList()));
			}
			else if (!other.streams().equals(each.streams())) {
				this.differences
					.add("%s: %s (expected: %s)".formatted(path, other.streams().text(), each.streams().text()));
			}
			else {
				String scope = this.packages.getOrDefault(name, "");
				type(path + " request", each.request(), this.own.packageName, other.request(), scope);
				type(path + " response", each.response(), this.own.packageName, other.response(), scope);
			}
		}
	}

	private void type(String path, String type, String scope, String other, String otherScope) {
		String found = find(other, otherScope, this.messages.keySet(), this.enums.keySet());
		String own = find(type, scope, this.own.messages.keySet(), this.own.enums.keySet());
		Message message = this.own.messages.get(own);
		Message theirs = this.messages.get(found);
		if (message != null && theirs != null) {
			if (this.compared.add(own + " " + found)) {
				message.fields().forEach((each) -> field(message, each, theirs));
			}
		}
		else if (this.own.enums.containsKey(own) && this.enums.containsKey(found)) {
			if (this.compared.add(own + " " + found)) {
				constants(found, this.own.enums.get(own), this.enums.get(found));
			}
		}
		else if (UNCARRIED.contains(other)) {
			this.differences.add("%s: %s is not carried (expected: %s)".formatted(path, other, type));
		}
		else if (!kind(own, this.own).equals(kind(found, null))) {
			this.differences.add("%s: %s (expected: %s)".formatted(path, other, type));
		}
	}

	private String kind(String type, @Nullable ProtoSource own) {
		boolean isEnum = (own != null) ? own.enums.containsKey(type) : this.enums.containsKey(type);
		return isEnum ? "number of 32 bits" : KINDS.getOrDefault(type, type);
	}

	private void field(Message message, Field field, Message theirs) {
		Field other = theirs.field(field.number());
		String path = "%s: %d, %s".formatted(theirs.name(), field.number(), field.name());
		String plain = plain(field.name());
		Field named = theirs.fields()
			.stream()
			.filter((each) -> plain(each.name()).equals(plain))
			.findFirst()
			.orElse(null);
		if (named != null && named.number() != field.number()) {
			this.differences.add("%s: has the number %d there".formatted(path, named.number()));
		}
		else if (other == null) {
			this.differences.add("%s: no such field there (expected: one of %s)".formatted(path,
					theirs.fields().stream().map((each) -> each.number() + " " + each.name()).toList()));
		}
		else if (other.isRepeated() != field.isRepeated()) {
			this.differences.add("%s: %s there".formatted(path, other.isRepeated() ? "repeated" : "one value"));
		}
		else if ((other.key() == null) != (field.key() == null)) {
			this.differences.add("%s: %s there".formatted(path, (other.key() != null) ? "a map" : "no map"));
		}
		else {
			if (field.key() != null && other.key() != null) {
				type(path + " key", field.key(), message.name(), other.key(), theirs.name());
			}
			type(path, field.type(), message.name(), other.type(), theirs.name());
		}
	}

	private void constants(String name, Map<String, Integer> own, Map<String, Integer> theirs) {
		Map<String, Integer> plain = theirs.entrySet()
			.stream()
			.collect(Collectors.toMap((each) -> plain(each.getKey()), Map.Entry::getValue, (one, other) -> one));
		own.forEach((constant, number) -> {
			if (constant.endsWith("_UNSPECIFIED") && number == 0) {
				return;
			}
			Integer named = plain.entrySet()
				.stream()
				.filter((each) -> plain(constant).endsWith(each.getKey())
						|| each.getKey().endsWith(suffix(constant, own)))
				.map(Map.Entry::getValue)
				.findFirst()
				.orElse(null);
			if ((named != null) ? !named.equals(number) : !theirs.containsValue(number)) {
				this.differences.add("%s: %d, %s: %s".formatted(name, number, constant,
						(named != null) ? "has the number %d there".formatted(named)
								: "no such number there (expected: one of %s)".formatted(theirs)));
			}
		});
	}

	/** Returns a name of a constant without the words that all constants begin with. */
	private static String suffix(String constant, Map<String, Integer> all) {
		String prefix = constant;
		for (String each : all.keySet()) {
			while (!each.startsWith(prefix)) {
				prefix = prefix.substring(0, prefix.length() - 1);
			}
		}
		return plain(constant.substring((all.size() > 1) ? prefix.lastIndexOf('_') + 1 : 0));
	}

	private static String plain(String name) {
		return name.replace("_", "").toLowerCase(java.util.Locale.ROOT);
	}

	/** Returns the full name of a type that is written within a scope. */
	private static String find(String type, String scope, Set<String> messages, Set<String> enums) {
		if (type.startsWith(".")) {
			return type.substring(1);
		}
		for (String each = scope;; each = each.substring(0, Math.max(0, each.lastIndexOf('.')))) {
			String full = each.isEmpty() ? type : each + "." + type;
			if (messages.contains(full) || enums.contains(full) || each.isEmpty()) {
				return full;
			}
		}
	}

}
