package io.rpcboot.serialization.protostuff;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.serialization.protostuff.ProtostuffFormat;
import io.rpcboot.internal.serialization.types.GraphCodec;
import io.rpcboot.internal.serialization.types.KnownCodecs;
import io.rpcboot.internal.serialization.types.walk.ServiceGraph;
import io.rpcboot.internal.serialization.types.walk.TypeRules;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.TypeOptions;

/**
 * The default serializer: protostuff's wire format and annotations
 * ({@link io.protostuff.Tag}, {@link io.protostuff.Exclude}), with its own schema for
 * each class. Thread-safe.
 *
 * <pre class="code">
 * Serializer serializer = new ProtostuffSerializer(TypeOptions.NONE.withSubtypes(Payment.class, Card.class));
 * </pre>
 *
 * <p>
 * <b>What is carried.</b> Beans, records, primitives and their boxes, strings of any
 * content, enums, all arrays, values, collections and maps of the JDK that have no state
 * except their content, and any type with a {@link io.rpcboot.serialization.Delegate};
 * {@code docs/serialization.md} has the list. Types are carried as they are declared. A
 * class with subtypes (a sealed one, by {@link io.rpcboot.RpcSubtypes} or by
 * {@link TypeOptions#subtypes()}) accepts each of them. A class without subtypes refuses
 * an instance of a subclass when it is written. {@code Object}, a wildcard,
 * {@code Number}, {@code Comparable} and the like accept value types, lists, sets and
 * maps of them, and every class that the service reaches. Null, empty and null elements
 * are kept apart. An object that several fields share becomes copies; a cycle is refused.
 * Every other type is refused at start-up.
 *
 * <p>
 * <b>Wire.</b> A message is a sequence of fields, each a varint of number and wire type
 * and then its value. The arguments of a method are a message of the fields 1 to n, its
 * result is the field 1, a declared exception is the field of its place in the throws
 * clause, a group of message (1) and fields (2). Fields that protostuff-runtime carries
 * without loss (numbers, enums, strings, bytes, nested beans, collections and arrays
 * without nulls, maps) have the same bytes as in protostuff-runtime.
 * {@code docs/wire-types.md} shows the bytes of each kind of value.
 *
 * <p>
 * <b>Reading.</b> No class name is on the wire. Lengths are compared with the remaining
 * bytes before anything is allocated, depth is bounded by 64 groups, and fields that are
 * unknown or out of order are an error.
 *
 * @since 0.1.0
 */
public final class ProtostuffSerializer implements Serializer {

	/** Name and version of the layout of bytes. */
	private static final String FORMAT = "protostuff/1";

	private final TypeOptions types;

	private final KnownCodecs codecs = new KnownCodecs();

	/**
	 * Creates a serializer for the built-in types and the types that interfaces declare.
	 */
	public ProtostuffSerializer() {
		this(TypeOptions.NONE);
	}

	/**
	 * Creates a serializer for more types.
	 * @param types additional types
	 * @throws io.rpcboot.RpcConfigurationException if a type cannot be added
	 */
	public ProtostuffSerializer(TypeOptions types) {
		this.types = TypeRules.check(types);
	}

	@Override
	public ProtostuffSerializer with(TypeOptions types) {
		return new ProtostuffSerializer(this.types.with(types));
	}

	@Override
	public String name() {
		return "protostuff";
	}

	@Override
	public ServiceCodec codec(ServiceDescriptor service) {
		return this.codecs.get(service,
				() -> new GraphCodec(ServiceGraph.of(service, FORMAT, this.types), ProtostuffFormat::new));
	}

}
