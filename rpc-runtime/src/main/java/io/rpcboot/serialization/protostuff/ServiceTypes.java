package io.rpcboot.serialization.protostuff;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.UnsupportedTypeException;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.TypeRef;

import org.jspecify.annotations.Nullable;

/**
 * The closed world of a service for serializers with another layout of bytes: the same
 * types, the same refusals and the same contract as those of the default serializer, and
 * the way to the fields of each class. Immutable and thread-safe.
 */
public final class ServiceTypes {

	private final Contract contract;

	private final Map<String, ServiceClass> classes = new HashMap<>();

	private final Map<String, ServiceCollection> collections = new HashMap<>();

	private final Map<String, ServiceMap> maps = new HashMap<>();

	private final Map<String, Class<?>> javaTypes = new HashMap<>();

	ServiceTypes(Contract contract, ClosedWorld world, Iterable<StructType> exceptions) {
		this.contract = contract;
		world.forEachType(this::add);
		exceptions.forEach((each) -> add(each.javaType(), each));
	}

	private void add(Class<?> javaType, ValueType type) {
		this.javaTypes.put(type.ref().toString(), javaType);
		if (type instanceof CollectionType collection) {
			this.collections.put(type.ref().toString(), collection.forService());
		}
		if (type instanceof MapType map) {
			this.maps.put(type.ref().toString(), map.forService());
		}
		if (type instanceof StructType struct) {
			this.classes.put(type.ref().toString(), ServiceClass.of(struct));
		}
	}

	/**
	 * Walk through the methods of a service.
	 * @param service the service
	 * @param format name and version of the layout, for the contract
	 * @param subtypes by base what may stand in its place, as for
	 * {@link ProtostuffSerializer.Builder#subtypes}
	 * @return its types
	 * @throws UnsupportedTypeException if a type cannot be carried, with the method, the
	 * path of the field and the reason
	 */
	public static ServiceTypes of(ServiceDescriptor service, String format,
			Map<Class<?>, ? extends Collection<Class<?>>> subtypes) {
		ProtostuffSerializer.Builder builder = ProtostuffSerializer.builder();
		subtypes.forEach((base, each) -> builder.subtypes(base, each.toArray(Class<?>[]::new)));
		return builder.build().types(service, format);
	}

	/**
	 * The contract.
	 * @return with the given format
	 */
	public Contract contract() {
		return this.contract;
	}

	/**
	 * A class with fields, of the contract.
	 * @param type a bean, a record or an exception
	 * @return null if it is none that the contract defines
	 */
	public @Nullable ServiceClass classOf(TypeRef type) {
		return this.classes.get(type.toString());
	}

	@Nullable ServiceCollection collectionOf(TypeRef type) {
		return this.collections.get(type.toString());
	}

	@Nullable ServiceMap mapOf(TypeRef type) {
		return this.maps.get(type.toString());
	}

	/**
	 * The class of any type of the service but built-in values.
	 * @param type a type of the contract
	 * @return null if it is a built-in value or unknown
	 */
	public @Nullable Class<?> javaTypeOf(TypeRef type) {
		return this.javaTypes.get(type.toString());
	}

	/**
	 * The declared exception that is nearest to what was thrown; a bare {@code Exception}
	 * or {@code Throwable} stands only for itself.
	 * @param declared the exceptions of a method of the contract
	 * @param thrown what was thrown
	 * @return the index in the list, or -1
	 */
	public int nearestException(List<TypeRef> declared, Throwable thrown) {
		return DeclaredExceptions.nearest(declared.stream().map(this::classOf).map(ServiceTypes::javaType).toList(),
				thrown.getClass());
	}

	private static Class<?> javaType(@Nullable ServiceClass type) {
		return (type != null) ? type.javaType() : void.class;
	}

}
