package io.rpcboot.internal.serialization.protobuf.schema;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.internal.serialization.protobuf.schema.EnumDeclaration.Constant;
import io.rpcboot.serialization.GeneratedMessage;
import io.rpcboot.serialization.ProtoDescriptor;
import io.rpcboot.serialization.contract.TypeRef;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the declarations of a file. Types declare themselves and what they hold, each
 * once. Services of one package share a file, because their messages share the names of
 * the package.
 */
public final class Declarations {

	private static final String FILE = "services.proto";

	private static final String REQUEST = "Request";

	private final Set<String> declared = new HashSet<>();

	private final Map<String, MessageDeclaration> messages = new TreeMap<>();

	private final Map<String, EnumDeclaration> enums = new TreeMap<>();

	private final Map<String, ProtoDescriptor> imports = new TreeMap<>();

	/** Binary names of interfaces by the simple names of their services. */
	private final Map<String, String> types = new HashMap<>();

	private final List<Exchange> exchanges = new ArrayList<>();

	/** Names of all types of the package. */
	private final ProtoNames names;

	/** File of an earlier version, whose names stay. */
	private final ProtoSource earlier;

	/**
	 * Creates an empty file.
	 * @param earlier file of an earlier version, whose names stay
	 */
	public Declarations(ProtoNames names, ProtoSource earlier) {
		this.names = names;
		this.earlier = earlier;
	}

	/**
	 * Declares a message, unless it was declared.
	 * @param fields returns its fields
	 * @param reserved numbers that no field may have
	 */
	public TypeName message(TypeRef type, Supplier<List<FieldDeclaration>> fields, Collection<Integer> reserved) {
		String name = this.names.of(type);
		if (this.declared.add(name)) {
			this.messages.put(name, MessageDeclaration.of(name, fields.get(), reserved,
					this.earlier.fieldNames(this.names.full(name))));
		}
		return TypeName.message(this.names.full(name));
	}

	/**
	 * Declares an enum, unless it was declared.
	 * @param javaType class of the enum
	 * @param constants numbers by the names of constants in Java
	 * @param reserved numbers that no constant may have
	 */
	public TypeName enumeration(TypeRef type, Class<?> javaType, Map<String, Integer> constants,
			Collection<Integer> reserved) {
		String name = this.names.of(type);
		if (this.declared.add(name)) {
			List<Constant> all = new ArrayList<>();
			List<Integer> gone = new ArrayList<>(reserved);
			if (!constants.containsValue(0)) {
				all.add(new Constant("UNSPECIFIED", 0, null));
				gone.remove(Integer.valueOf(0));
			}
			constants.entrySet()
				.stream()
				.sorted(Map.Entry.comparingByValue())
				.forEach((each) -> all
					.add(new Constant(each.getKey(), each.getValue(), field(javaType, each.getKey()))));
			this.enums.put(name, new EnumDeclaration(name, all, gone));
		}
		return TypeName.enumeration(this.names.full(name));
	}

	private static Field field(Class<?> type, String constant) {
		try {
			return type.getField(constant);
		}
		catch (NoSuchFieldException ex) {
			throw new IllegalStateException("every constant is a field", ex);
		}
	}

	/** Returns a message of protobuf itself, and imports its file. */
	public TypeName wellKnown(WellKnownFile file) {
		this.imports.computeIfAbsent(file.fileName(), (name) -> file.descriptor());
		return file.type();
	}

	/** Returns a message that a library has, and imports its file. */
	public TypeName generated(GeneratedMessage message) {
		ProtoDescriptor file = message.file().get();
		this.imports.putIfAbsent(file.name(), file);
		return TypeName.message(message.name());
	}

	/**
	 * Declares a method of a service with its messages.
	 * @param service simple name of the service
	 * @param type binary name of its interface
	 * @param name name in Pascal case
	 * @param method the method of the interface
	 * @param exceptions messages of the exceptions of its throws clause
	 */
	public void method(String service, String type, String name, Body request, Body response, MethodDescriptor method,
			List<TypeName> exceptions) {
		this.types.put(service, type);
		this.exchanges.add(new Exchange(service, name, request, response, method, exceptions));
	}

	/** Returns the path of the file of a package. */
	public static String fileName(String packageName) {
		return packageName.isEmpty() ? FILE : packageName.replace('.', '/') + "/" + FILE;
	}

	/** Returns the file of everything that was declared. */
	public ProtoFile file() {
		String packageName = this.names.packageName();
		List<MessageDeclaration> all = new ArrayList<>();
		Map<String, List<ServiceDeclaration.Method>> methods = new TreeMap<>();
		for (Exchange each : this.exchanges) {
			boolean isShared = this.exchanges.stream().filter((other) -> other.method.equals(each.method)).count() > 1;
			ServiceDeclaration.Method method = new ServiceDeclaration.Method(each.method,
					message(each, REQUEST, each.request, isShared, all),
					message(each, "Response", each.response, isShared, all), Streams.of(each.described),
					each.exceptions, each.described.isSafe());
			methods.computeIfAbsent(each.service, (key) -> new ArrayList<>()).add(method);
		}
		all.sort(Comparator.comparing(MessageDeclaration::name));
		all.addAll(this.messages.values());
		return new ProtoFile(fileName(packageName), packageName,
				methods.entrySet()
					.stream()
					.map((each) -> new ServiceDeclaration(each.getKey(),
							Objects.requireNonNull(this.types.get(each.getKey())), each.getValue()))
					.toList(),
				List.copyOf(all), new ConstantNames(this.names, this.earlier).name(this.enums.values()),
				List.copyOf(this.imports.values()), this.earlier.goPackage());
	}

	/**
	 * Adds a request or a response. The name has that of the service in front if a class
	 * or another service has the short one.
	 */
	private TypeName message(Exchange exchange, String suffix, Body body, boolean isShared,
			List<MessageDeclaration> all) {
		if (body.known() != null) {
			return body.known();
		}
		String name = name(exchange, suffix, isShared);
		all.add(MessageDeclaration.of(name, body.fields(), body.reserved(),
				this.earlier.fieldNames(this.names.full(name))));
		this.declared.add(name);
		return TypeName.message(this.names.full(name));
	}

	private String name(Exchange exchange, String suffix, boolean isShared) {
		String name = exchange.method + suffix;
		ProtoSource.Method before = this.earlier.method(this.names.full(exchange.service), exchange.method);
		boolean isKept = before != null && name.equals(suffix.equals(REQUEST) ? before.request() : before.response());
		boolean isFree = !this.declared.contains(name) && !this.names.isTaken(name);
		if (isFree && (isKept || !isShared)) {
			return name;
		}
		name = exchange.service + name;
		while (this.declared.contains(name) || this.names.isTaken(name)) {
			name += "Message";
		}
		return name;
	}

	/**
	 * Request or response.
	 *
	 * @param fields its fields
	 * @param reserved numbers that no field may have
	 * @param known a message that is declared already; null for one of these fields
	 */
	public record Body(List<FieldDeclaration> fields, Collection<Integer> reserved, @Nullable TypeName known) {
	}

	/** Method with its messages. */
	private record Exchange(String service, String method, Body request, Body response, MethodDescriptor described,
			List<TypeName> exceptions) {
	}

}
