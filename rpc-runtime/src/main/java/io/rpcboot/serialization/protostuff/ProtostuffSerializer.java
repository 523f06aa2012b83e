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
 * ({@link io.protostuff.Tag}, {@link io.protostuff.Exclude}), with a schema of its own
 * for each class. Thread-safe.
 *
 * <p>
 * <b>What is carried.</b> Beans, records, primitives and their boxes, strings of any
 * content, enums, all arrays, values, collections and maps of the JDK that are their
 * content and nothing more, and any type for which a
 * {@link io.rpcboot.serialization.Delegate} is given; {@code docs/serialization.md} has
 * the list. Types are carried as they are declared: where a class has subtypes (a sealed
 * one, by {@link io.rpcboot.RpcSubtypes} or by {@link TypeOptions#subtypes()}) each of
 * them may stand in its place, where it has none an instance of a subclass is refused
 * when it is written. Where {@code Object}, a wildcard, {@code Number},
 * {@code Comparable} and the like are declared, value types, lists, sets and maps of
 * such, and every class that the service reaches may stand. Null, empty and null elements
 * are kept apart. What several fields share becomes copies; a cycle is refused. Every
 * other type is refused at start-up.
 *
 * <p>
 * <b>Wire.</b> A message is a sequence of fields, each a varint of number and wire type
 * and then its value. The arguments of a method are a message of the fields 1 to n, its
 * result is the field 1, a declared exception is the field of its place in the throws
 * clause, a group of message (1) and fields (2). For fields that protostuff-runtime
 * carries right (numbers, enums, strings, bytes, nested beans, collections and arrays
 * without nulls, maps) the bytes are the same as its own. {@code docs/wire-types.md}
 * shows the bytes of each kind of value.
 *
 * <p>
 * <b>Reading.</b> No class name is on the wire. Lengths are checked against what remains
 * before anything is allocated, depth is bounded by 64 groups, fields that are not in the
 * contract or out of order are an error.
 */
public final class ProtostuffSerializer implements Serializer {

	/** Another layout of bytes would be another version. */
	private static final String FORMAT = "protostuff/1";

	private final TypeOptions types;

	private final KnownCodecs codecs = new KnownCodecs();

	/**
	 * Create a serializer for the built-in types and what the interfaces declare.
	 */
	public ProtostuffSerializer() {
		this(TypeOptions.NONE);
	}

	/**
	 * Create a serializer for more types.
	 * @param types what is added
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
