package io.rpcboot.serialization.jackson;

import java.lang.reflect.Array;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import io.rpcboot.serialization.UnsupportedTypeException;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractException;
import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.ContractType.Kind;
import io.rpcboot.serialization.contract.TypeRef;
import io.rpcboot.serialization.protostuff.ServiceClass;
import io.rpcboot.serialization.protostuff.ServiceTypes;

import org.jspecify.annotations.Nullable;

/**
 * Links the types of a service for what a writer with a certain contract writes. For one
 * thread at a time.
 */
final class JsonTypes {

	private static final List<Class<?>> PRIMITIVES = List.of(byte.class, short.class, int.class, long.class,
			float.class, double.class, boolean.class, char.class);

	private static final List<Class<?>> BOXES = List.of(Byte.class, Short.class, Integer.class, Long.class, Float.class,
			Double.class, Boolean.class, Character.class);

	private final Map<String, JsonType> values = JsonValues.all();

	private final JsonContainers containers = new JsonContainers();

	private final Map<List<TypeRef>, JsonType> linked = new HashMap<>();

	private final ServiceTypes types;

	private final Contract writer;

	/**
	 * Create the links.
	 * @param types the own types
	 * @param writer the contract of what is read; the own one for what is also written
	 */
	JsonTypes(ServiceTypes types, Contract writer) {
		this.types = types;
		this.writer = writer;
	}

	/** The member that the writer means, by name before alias; null if there is none. */
	static @Nullable ContractMember find(List<ContractMember> own, ContractMember written) {
		return own.stream()
			.filter((each) -> each.name().equals(written.name()))
			.findFirst()
			.or(() -> own.stream().filter((each) -> each.matches(written)).findFirst())
			.orElse(null);
	}

	/**
	 * Link a type.
	 * @param own the own type
	 * @param written the writer's type in its place
	 * @param path for a refusal, with the method
	 */
	JsonType link(TypeRef own, TypeRef written, String path) {
		JsonType type = this.linked.get(List.of(own, written));
		if (type != null) {
			return type;
		}
		type = create(own, written, path);
		this.linked.putIfAbsent(List.of(own, written), type);
		return type;
	}

	private JsonType create(TypeRef own, TypeRef written, String path) {
		ContractType definition = this.types.contract().type(own);
		if (definition != null) {
			return define(definition, written, path);
		}
		JsonType value = value(own, written);
		if (value != null) {
			return value;
		}
		if (own.name().equals(TypeRef.ARRAY)) {
			return array(own, written, path);
		}
		JsonContainers.OfCollection collection = this.containers.collection(own.name());
		if (collection != null) {
			return new JsonCollection(collection, argument(own, written, 0, path + "[]"));
		}
		JsonContainers.OfMap map = this.containers.map(own.name());
		if (map != null) {
			return new JsonMap(map, argument(own, written, 0, path + "{key}"), argument(own, written, 1, path + "{}"));
		}
		if (own.name().equals(Optional.class.getName())) {
			return new JsonHolder(Optional.class, argument(own, written, 0, path + "?"),
					(each) -> ((Optional<?>) each).orElse(null), Optional::ofNullable);
		}
		if (own.name().equals(AtomicReference.class.getName())) {
			return new JsonHolder(AtomicReference.class, argument(own, written, 0, path + "?"),
					(each) -> ((AtomicReference<?>) each).get(), AtomicReference::new);
		}
		throw new UnsupportedTypeException("%s: %s cannot be carried: it has no form in JSON".formatted(path, own),
				"Use another type, or the default serializer.");
	}

	private @Nullable JsonType value(TypeRef own, TypeRef written) {
		int primitive = PRIMITIVES.stream().map(Class::getName).toList().indexOf(own.name());
		String name = (primitive < 0) ? own.name() : BOXES.get(primitive).getName();
		boolean isFloat = written.name().equals("float") || written.name().equals(Float.class.getName());
		JsonType box = (isFloat && name.equals(Double.class.getName())) ? JsonValues.widened() : this.values.get(name);
		if (primitive < 0 || box == null) {
			return own.toString().equals("byte[]") ? this.values.get("byte[]") : box;
		}
		boolean isBoxed = BOXES.stream().anyMatch((each) -> each.getName().equals(written.name()));
		Class<?> type = PRIMITIVES.get(primitive);
		return new JsonPrimitive(type, box, isBoxed ? Array.get(Array.newInstance(type, 1), 0) : null);
	}

	private JsonType array(TypeRef own, TypeRef written, String path) {
		JsonType component = argument(own, written, 0, path + "[]");
		return new JsonArray(javaType(own.arguments().get(0), component), component);
	}

	private Class<?> javaType(TypeRef type, JsonType linked) {
		Class<?> known = this.types.javaTypeOf(type);
		return (known != null) ? known : linked.javaType();
	}

	private JsonType argument(TypeRef own, TypeRef written, int index, String path) {
		if (index >= written.arguments().size()) {
			throw new ContractException("type", written.toString(), "a type that can be read as " + own);
		}
		return link(own.arguments().get(index), written.arguments().get(index), path);
	}

	private JsonType define(ContractType own, TypeRef written, String path) {
		ContractType theirs = definition(written);
		if (theirs.kind() == Kind.BASE && own.kind() != Kind.BASE) {
			return choice(own, List.of(own.type()), theirs, path);
		}
		if (own.kind() == Kind.BASE && theirs.kind() != Kind.BASE) {
			return link(same(own, written), written, path);
		}
		return switch (own.kind()) {
			case BEAN, RECORD, EXCEPTION -> struct(own, theirs, path);
			case ENUM -> new JsonEnum(Objects.requireNonNull(this.types.javaTypeOf(own.type())), own.members(),
					theirs.members());
			case BASE, ANY -> choice(own, own.members().stream().map(ContractMember::type).toList(), theirs, path);
		};
	}

	/** The writer's definition of a type. */
	ContractType definition(TypeRef written) {
		ContractType definition = this.writer.type(written);
		if (definition == null) {
			throw new ContractException("type", written.toString(), "a type that the contract defines");
		}
		return definition;
	}

	private JsonStruct struct(ContractType own, ContractType written, String path) {
		ServiceClass type = Objects.requireNonNull(this.types.classOf(own.type()));
		JsonStruct struct = new JsonStruct(type);
		this.linked.put(List.of(own.type(), written.type()), struct);
		if (own == written) {
			for (ContractMember each : own.members()) {
				struct.add(link(each.type(), each.type(), path + "." + each.name()));
			}
		}
		for (ContractMember each : written.members()) {
			ContractMember found = find(own.members(), each);
			int index = (found != null) ? own.members().indexOf(found) : -1;
			struct.add(each.name(), new JsonStruct.Property(struct.count(), index,
					(found != null) ? link(found.type(), each.type(), path + "." + found.name()) : null));
		}
		return struct;
	}

	/** The own subtype that the writer has alone. */
	private TypeRef same(ContractType own, TypeRef written) {
		return own.members()
			.stream()
			.map(ContractMember::type)
			.filter((each) -> isSame(each, written))
			.findFirst()
			.orElseThrow(() -> new ContractException("type", written.toString(),
					"a type that can be read as " + own.type()));
	}

	private JsonSubtypes choice(ContractType own, List<TypeRef> members, ContractType written, String path) {
		JsonSubtypes choice = new JsonSubtypes();
		this.linked.put(List.of(own.type(), written.type()), choice);
		List<TypeRef> names = written.members().stream().map(ContractMember::type).toList();
		for (TypeRef each : names) {
			String name = JsonSubtypes.name(each, names);
			TypeRef found = members.stream().filter((type) -> isSame(type, each)).findFirst().orElse(null);
			if (found == null) {
				choice.add(name, null);
				continue;
			}
			JsonType type = link(found, each, path);
			choice.add(name, type);
			choice.add(javaType(found, type), name, type);
		}
		return choice;
	}

	/** Whether both are the same class, by name or alias. */
	boolean isSame(TypeRef own, TypeRef written) {
		ContractType ownType = this.types.contract().type(own);
		ContractType writtenType = this.writer.type(written);
		return (ownType != null && writtenType != null) ? ownType.matches(writtenType)
				: own.name().equals(written.name());
	}

}
