package io.rpcboot.serialization.fory;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.protostuff.ServiceTypes;

/**
 * Writes values as Apache Fory does, with the same closed world of types and the same
 * rules of contracts as the default serializer. Thread-safe.
 *
 * <p>
 * <b>Layout.</b> Every class is laid out as Fory lays out one that it knows to be final:
 * its fields in the order of the contract, a byte before each that can be null, no class
 * in between. Numbers, strings, arrays of primitives, java.time, decimals and
 * {@code UUID} are Fory's own. Fory's object graphs are not used: their bytes say which
 * class is made wherever a declared class is not final, dozens of classes of the JDK and
 * of Fory are always among those, and where Fory interprets instead of compiling, it puts
 * what was made into the field without a check. Here no byte names a class or stands for
 * one that the contract does not list at that place.
 *
 * <p>
 * <b>Reading.</b> Sizes are checked against the bytes that remain, nesting is bounded by
 * 130 levels, and anything behind the value is an error. A peer with another contract is
 * read by names and aliases.
 */
public final class ForySerializer implements Serializer {

	/** Another layout of bytes would be another version. */
	private static final String FORMAT = "fory/1";

	private final Map<Class<?>, Set<Class<?>>> subtypes = new LinkedHashMap<>();

	private final ForyEngine.Pool engines = new ForyEngine.Pool();

	/**
	 * Create a serializer for the built-in types and what the interfaces declare.
	 * @throws RpcConfigurationException if Fory cannot work on this JVM
	 */
	public ForySerializer() {
		this(Map.of());
	}

	/**
	 * Create a serializer for more subtypes.
	 * @param subtypes by base, classes that may stand where it is declared, in addition
	 * to those that it permits or names by {@link io.rpcboot.RpcSubtypes}
	 * @throws RpcConfigurationException if Fory cannot work on this JVM
	 */
	public ForySerializer(Map<Class<?>, ? extends Collection<Class<?>>> subtypes) {
		subtypes.forEach((base, each) -> this.subtypes.put(base, new LinkedHashSet<>(each)));
		try {
			this.engines.release(this.engines.acquire());
		}
		catch (RuntimeException | LinkageError ex) {
			throw new RpcConfigurationException(
					"serializer fory: Apache Fory cannot work on Java %s without access to its internals"
						.formatted(Runtime.version().feature()),
					"Start java with --add-opens=java.base/java.lang.invoke=ALL-UNNAMED, leave out --sun-misc-unsafe-memory-access=deny, or choose another serializer.",
					ex);
		}
	}

	@Override
	public String name() {
		return "fory";
	}

	@Override
	public ServiceCodec codec(ServiceDescriptor service) {
		return new ForyServiceCodec(service, ServiceTypes.of(service, FORMAT, this.subtypes), this.engines);
	}

}
