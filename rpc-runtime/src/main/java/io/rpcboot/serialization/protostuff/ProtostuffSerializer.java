package io.rpcboot.serialization.protostuff;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.TypeOptions;
import io.rpcboot.serialization.types.GraphCodec;
import io.rpcboot.serialization.types.KnownCodecs;
import io.rpcboot.serialization.types.ServiceGraph;
import io.rpcboot.serialization.types.TypeRules;

/**
 * The default serializer: protostuff's wire format and annotations
 * ({@link io.protostuff.Tag}, {@link io.protostuff.Exclude}), with a schema of its own
 * for each class. Thread-safe.
 *
 * <p>
 * <b>What is carried.</b> Beans, records, primitives and their boxes, strings of any
 * content, enums, all arrays, java.time, {@code UUID}, {@code BigDecimal},
 * {@code BigInteger}, {@code Date} and those of java.sql, {@code BitSet},
 * {@code ByteBuffer} (what remains), {@code Optional} and its kin,
 * java.util.concurrent.atomic, {@code URI}, {@code URL}, {@code InetAddress},
 * {@code Locale}, {@code Currency}, {@code Charset}, {@code TimeZone}, every kind of
 * collection and map of java.util and java.util.concurrent that is its elements and
 * nothing more, and any type for which a {@link io.rpcboot.serialization.Delegate} is
 * given. Types are carried as they are declared: where a class has subtypes (a sealed
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
 * clause, a group of message (1) and fields (2).
 * <ul>
 * <li>A class is a group. Its fields are numbered from 1 in the order of declaration,
 * those of superclasses first, or by {@code @Tag}; they are written in rising order, and
 * null is absent.</li>
 * <li>Integers and enums (the ordinal) are varints, {@code float} and {@code double} are
 * fixed, strings are UTF-8, in which a lone surrogate takes three bytes.</li>
 * <li>A collection is a repeated field; what that cannot say are markers, a varint under
 * the same number with wire type 6: 0 for empty, 1 for a null element, 2 before all
 * elements for the reverse of the natural order. As an element itself, a collection is a
 * group with the repeated field 1.</li>
 * <li>A map is a group of repeated groups (1) of key (1) and value (2), before them the
 * marker 2 for reverse order.</li>
 * <li>An array is a group of length (1) and elements (2), among them the marker 1 for
 * null; {@code byte[]} is bytes.</li>
 * <li>Where subtypes or {@code Object} are declared: a group of one field, which has the
 * number that the contract gives the type of the value, and holds the value.</li>
 * </ul>
 * For fields that protostuff-runtime carries right (numbers, enums, strings, bytes,
 * nested beans, collections and arrays without nulls, maps) the bytes are the same as its
 * own. {@code docs/wire-types.md} shows the bytes of each kind of value.
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
