package io.rpcboot.internal.serialization.protobuf.schema;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rpcboot.serialization.contract.ContractType.Kind;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.TypeRef;

/**
 * Names of the messages and enums of services in one package. A class has its simple name
 * behind those of its enclosing classes: {@code OrderItem} for {@code Order.Item}. Type
 * arguments follow: {@code PageOfUser}. If two types have one name, a type of the
 * services' package keeps it, the other one gets the name of its package in front, or
 * {@code Choice} behind.
 */
public final class ProtoNames {

	private final String packageName;

	private final Map<TypeRef, String> names = new HashMap<>();

	private final Set<String> taken = new HashSet<>();

	/**
	 * Names the types of contracts.
	 * @param services full names of the services, all of one package
	 * @param packages packages of other services, whose names no message can have
	 */
	public ProtoNames(Collection<String> services, Stream<ContractType> types, Collection<String> packages) {
		String name = services.iterator().next();
		this.packageName = name.substring(0, Math.max(0, name.lastIndexOf('.')));
		services.forEach((each) -> this.taken.add(each.substring(each.lastIndexOf('.') + 1)));
		String prefix = this.packageName + ".";
		packages.stream()
			.filter((each) -> each.startsWith(prefix))
			.forEach((each) -> this.taken.add(each.substring(prefix.length()).split("\\.")[0]));
		types.filter((each) -> each.kind() != Kind.ANY && each.kind() != Kind.CALLBACK)
			.sorted(Comparator.comparing((ContractType each) -> each.kind() == Kind.BASE)
				.thenComparing((each) -> !packageOf(each.type()).equals(this.packageName))
				.thenComparing((each) -> each.type().toString()))
			.forEach((each) -> of(each.type()));
	}

	private static String packageOf(TypeRef type) {
		return type.name().substring(0, Math.max(0, type.name().lastIndexOf('.')));
	}

	public String packageName() {
		return this.packageName;
	}

	/** Returns the simple name of a message or an enum. */
	String of(TypeRef type) {
		return this.names.computeIfAbsent(type, this::create);
	}

	/** Returns the full name of a message or an enum. */
	public String full(TypeRef type) {
		return full(of(type));
	}

	String full(String simple) {
		return this.packageName.isEmpty() ? simple : this.packageName + "." + simple;
	}

	boolean isTaken(String name) {
		return this.taken.contains(name);
	}

	private String create(TypeRef type) {
		String name = simple(type);
		if (this.taken.add(name)) {
			return name;
		}
		name = type.name().endsWith("+") ? name + "Choice"
				: Arrays.stream(packageOf(type).split("\\.")).map(ProtoNames::pascal).collect(Collectors.joining())
						+ name;
		while (!this.taken.add(name)) {
			name += "X";
		}
		return name;
	}

	/** Returns a simple name, with the type arguments behind it. */
	private static String simple(TypeRef type) {
		String arguments = type.arguments().stream().map(ProtoNames::simple).collect(Collectors.joining("And"));
		if (type.name().equals(TypeRef.ARRAY)) {
			return "ArrayOf" + arguments;
		}
		String name = Arrays.stream(type.name().substring(type.name().lastIndexOf('.') + 1).split("\\$"))
			.map(ProtoNames::pascal)
			.collect(Collectors.joining());
		return arguments.isEmpty() ? name : name + "Of" + arguments;
	}

	/** Returns a name in Pascal case: {@code getUser} becomes {@code GetUser}. */
	public static String pascal(String name) {
		StringBuilder result = new StringBuilder();
		for (String each : name.split("[^A-Za-z0-9]+")) {
			if (!each.isEmpty()) {
				result.append(Character.toUpperCase(each.charAt(0))).append(each, 1, each.length());
			}
		}
		return (result.isEmpty() || Character.isDigit(result.charAt(0))) ? "X" + result : result.toString();
	}

	/** Returns a name in snake case: {@code homeURL} becomes {@code home_url}. */
	public static String snake(String name) {
		String words = name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").replaceAll("([A-Z])([A-Z][a-z])", "$1_$2");
		String result = words.replaceAll("[^A-Za-z0-9]+", "_").replaceAll("^_+|_+$", "").toLowerCase(Locale.ROOT);
		return (result.isEmpty() || Character.isDigit(result.charAt(0))) ? "x" + result : result;
	}

}
