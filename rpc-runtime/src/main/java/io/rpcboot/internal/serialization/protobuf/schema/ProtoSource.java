package io.rpcboot.internal.serialization.protobuf.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rpcboot.serialization.contract.ContractMember;
import org.jspecify.annotations.Nullable;

/**
 * Declarations that a {@code .proto} has, also one that others have written.
 */
public final class ProtoSource {

	/** Begin of the comment with the interface of a service that has another name. */
	static final String INTERFACE = "// interface ";

	/** File without declarations. */
	public static final ProtoSource NONE = new ProtoSource();

	String packageName = "";

	/** Values of options of the file, by their names. */
	final Map<String, String> options = new LinkedHashMap<>();

	/** Messages by full name, nested ones too. */
	final Map<String, Message> messages = new LinkedHashMap<>();

	/** Numbers of constants by their names, by the full name of the enum. */
	final Map<String, Map<String, Integer>> enums = new LinkedHashMap<>();

	/** Methods by the full name of the service. */
	final Map<String, List<Method>> services = new LinkedHashMap<>();

	/** Binary names of interfaces by the full names of services. */
	final Map<String, String> interfaces = new LinkedHashMap<>();

	ProtoSource() {
	}

	/**
	 * Parses a text.
	 * @param place name of the file, for messages
	 */
	public static ProtoSource parse(String place, String text) {
		return new ProtoParser(place, text).parse();
	}

	/** Returns the full names of the services, in their order. */
	public List<String> services() {
		return List.copyOf(this.services.keySet());
	}

	/** Returns the binary name of the interface of a service. */
	public String interfaceOf(String service) {
		return this.interfaces.getOrDefault(service, service);
	}

	/** Returns the value of {@code go_package}; null if the file has none. */
	public @Nullable String goPackage() {
		return this.options.get("go_package");
	}

	/**
	 * Returns the numbers that the parameters of a method have in its request, and
	 * reserves those of other fields.
	 */
	public NumberLock request(String service, String method, List<ContractMember> parameters) {
		Method found = method(service, method);
		Map<Integer, String> fields = (found != null) ? fieldNames(this.packageName + "." + found.request) : Map.of();
		Map<String, Integer> numbers = new LinkedHashMap<>();
		SortedSet<Integer> gone = new TreeSet<>(fields.keySet());
		for (ContractMember each : parameters) {
			Set<String> names = Stream.concat(Stream.of(each.name()), each.aliases().stream())
				.map(ProtoNames::snake)
				.collect(Collectors.toSet());
			fields.forEach((number, name) -> {
				if (names.contains(name) || names.contains(name.replaceAll("_" + number + "$", ""))) {
					numbers.putIfAbsent(each.name(), number);
				}
			});
		}
		gone.removeAll(numbers.values());
		String type = service + "/" + method;
		return fields.isEmpty() ? NumberLock.NONE : new NumberLock(Map.of(type, new LockLine(type, numbers, gone)));
	}

	@Nullable Method method(String service, String name) {
		return this.services.getOrDefault(service, List.of())
			.stream()
			.filter((each) -> each.name.equals(name))
			.findFirst()
			.orElse(null);
	}

	/** Returns the name of a constant; null if the enum has no such number. */
	@Nullable String constant(String type, int number) {
		return this.enums.getOrDefault(type, Map.of())
			.entrySet()
			.stream()
			.filter((each) -> each.getValue() == number)
			.map(Map.Entry::getKey)
			.findFirst()
			.orElse(null);
	}

	/** Returns the names of the fields of a message by number. */
	Map<Integer, String> fieldNames(String type) {
		Map<Integer, String> names = new LinkedHashMap<>();
		Message message = this.messages.get(type);
		if (message != null) {
			message.fields.forEach((each) -> names.put(each.number, each.name));
		}
		return names;
	}

	/** Message with its fields, those of its oneofs too. */
	record Message(String name, List<Field> fields) {

		Message(String name) {
			this(name, new ArrayList<>());
		}

		@Nullable Field field(int number) {
			return this.fields.stream().filter((each) -> each.number == number).findFirst().orElse(null);
		}

	}

	/**
	 * Field of a message.
	 *
	 * @param type type as it is written
	 * @param key type of the keys of a map; null for any other field
	 */
	record Field(String name, int number, boolean isRepeated, String type, @Nullable String key) {
	}

	/** Method with the types as they are written. */
	record Method(String name, String request, String response, Streams streams) {
	}

}
