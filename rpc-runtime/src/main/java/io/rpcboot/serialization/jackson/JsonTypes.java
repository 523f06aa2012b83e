package io.rpcboot.serialization.jackson;

import java.lang.reflect.Array;
import java.util.List;
import java.util.Map;

import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.TypeRef;
import io.rpcboot.serialization.protostuff.ServiceClass;
import io.rpcboot.serialization.protostuff.ServiceCollection;
import io.rpcboot.serialization.protostuff.ServiceHolder;
import io.rpcboot.serialization.protostuff.ServiceMap;
import io.rpcboot.serialization.protostuff.ServiceTypes;
import io.rpcboot.serialization.protostuff.TypeLinker;

import org.jspecify.annotations.Nullable;

/**
 * Links the types of a service to their forms in JSON.
 */
final class JsonTypes extends TypeLinker<JsonType> {

	private static final List<Class<?>> PRIMITIVES = List.of(byte.class, short.class, int.class, long.class,
			float.class, double.class, boolean.class, char.class);

	private static final List<Class<?>> BOXES = List.of(Byte.class, Short.class, Integer.class, Long.class, Float.class,
			Double.class, Boolean.class, Character.class);

	private final Map<String, JsonType> values = JsonValues.all();

	JsonTypes(ServiceTypes types, Contract writer) {
		super(types, writer);
	}

	/** The message of an exception that only the writer has. */
	String nameOfMessage(TypeRef written) {
		return definition(written).members().get(0).name();
	}

	@Override
	protected @Nullable JsonType value(TypeRef own, TypeRef written) {
		int primitive = PRIMITIVES.stream().map(Class::getName).toList().indexOf(own.name());
		String name = (primitive < 0) ? own.toString() : BOXES.get(primitive).getName();
		boolean isFloat = written.name().equals("float") || written.name().equals(Float.class.getName());
		JsonType box = (isFloat && name.equals(Double.class.getName())) ? JsonValues.widened() : this.values.get(name);
		if (primitive < 0 || box == null) {
			return box;
		}
		Class<?> type = PRIMITIVES.get(primitive);
		boolean isBoxed = BOXES.stream().anyMatch((each) -> each.getName().equals(written.name()));
		return new JsonPrimitive(type, box, isBoxed ? Array.get(Array.newInstance(type, 1), 0) : null);
	}

	@Override
	protected JsonType array(Class<?> component, JsonType type) {
		return new JsonArray(component, type);
	}

	@Override
	protected JsonType collection(ServiceCollection kind, JsonType element) {
		return new JsonCollection(kind, element);
	}

	@Override
	protected JsonType map(ServiceMap kind, JsonType key, JsonType value) {
		return new JsonMap(kind, key, value);
	}

	@Override
	protected JsonType holder(ServiceHolder kind, JsonType held) {
		return new JsonHolder(kind.javaType(), held, kind::get, kind::create);
	}

	@Override
	protected JsonType references(JsonType element) {
		return new JsonReferences(element);
	}

	@Override
	protected JsonType struct(ServiceClass type) {
		return new JsonStruct(type);
	}

	@Override
	protected void linkFields(JsonType struct, List<Part<JsonType>> parts) {
		((JsonStruct) struct).link(parts);
	}

	@Override
	protected JsonType unknown() {
		return JsonUnknown.INSTANCE;
	}

	@Override
	protected JsonType constants(Class<?> type, List<Constant> constants) {
		return new JsonEnum(type, constants);
	}

	@Override
	protected JsonType choice() {
		return new JsonSubtypes();
	}

	@Override
	protected void linkOptions(JsonType choice, List<Option<JsonType>> options) {
		JsonSubtypes subtypes = (JsonSubtypes) choice;
		List<TypeRef> names = options.stream().map(Option::written).map(ContractMember::type).toList();
		for (Option<JsonType> each : options) {
			subtypes.add(JsonSubtypes.name(each.written().type(), names), each);
		}
	}

	@Override
	protected Class<?> javaType(JsonType type) {
		return type.javaType();
	}

}
