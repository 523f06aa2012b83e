package io.rpcboot.serialization.protostuff;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.protostuff.runtime.Delegate;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.ServiceCodec;

/**
 * The default serializer: protostuff's wire format, annotations
 * ({@link io.protostuff.Tag}, {@link io.protostuff.Exclude}) and {@link Delegate}s, with
 * a schema of its own for each class. Thread-safe.
 *
 * <p>
 * <b>What is carried.</b> Beans, records, primitives and their boxes, strings of any
 * content, enums, {@code byte[]}, java.time, {@code UUID}, {@code BigDecimal},
 * {@code BigInteger}, {@code Date}, {@code Optional}, the usual kinds of {@code List},
 * {@code Set} and {@code Map}, and any type for which a {@link Delegate} is given. Types
 * are carried as they are declared: an instance of a subclass is refused when it is
 * written. Null, empty and null elements are kept apart. What several fields share
 * becomes copies; a cycle is refused. Every other type is refused at start-up.
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
 * <li>A collection is a repeated field; empty and null elements are markers, a varint
 * under the same number with wire type 6: 0 for empty, 1 for a null element. As an
 * element itself, a collection is a group with the repeated field 1.</li>
 * <li>A map is a group of repeated groups (1) of key (1) and value (2).</li>
 * </ul>
 * For fields that protostuff-runtime carries right (numbers, enums, strings, bytes,
 * nested beans, lists without nulls, maps) the bytes are the same as its own.
 *
 * <p>
 * <b>Reading.</b> No class name is on the wire. Lengths are checked against what remains
 * before anything is allocated, depth is bounded by 64 groups, fields that are not in the
 * contract or out of order are an error.
 */
public final class ProtostuffSerializer implements Serializer {

	private final List<Delegate<?>> delegates;

	/**
	 * Create a serializer for the built-in types.
	 */
	public ProtostuffSerializer() {
		this(List.of());
	}

	/**
	 * Create a serializer that also carries the types of delegates. Both sides must use
	 * equal ones.
	 * @param delegates one for each type; one for a built-in value type takes the place
	 * of the built-in one. They must be thread-safe and read what they write.
	 * @throws RpcConfigurationException if two have the same type
	 */
	public ProtostuffSerializer(List<Delegate<?>> delegates) {
		Set<Class<?>> types = new HashSet<>();
		for (Delegate<?> each : delegates) {
			if (!types.add(each.typeClass())) {
				throw new RpcConfigurationException(
						"delegates: two for %s (expected: one for each type)".formatted(each.typeClass().getTypeName()),
						"Remove one of them.");
			}
		}
		this.delegates = List.copyOf(delegates);
	}

	@Override
	public String name() {
		return "protostuff";
	}

	@Override
	public ServiceCodec codec(ServiceDescriptor service) {
		return ServiceCodecFactory.create(service, new ClosedWorld(this.delegates));
	}

}
