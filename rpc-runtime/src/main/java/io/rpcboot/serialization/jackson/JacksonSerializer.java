package io.rpcboot.serialization.jackson;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.serialization.json.JsonFormat;
import io.rpcboot.internal.serialization.json.JsonStreams;
import io.rpcboot.internal.serialization.types.GraphCodec;
import io.rpcboot.internal.serialization.types.KnownCodecs;
import io.rpcboot.internal.serialization.types.walk.ServiceGraph;
import io.rpcboot.internal.serialization.types.walk.TypeRules;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.TypeOptions;

/**
 * Serializer for JSON, written with the streams of Jackson 3. Messages are readable in
 * logs and captures. Types and rules of contracts are those of
 * {@link io.rpcboot.serialization.protostuff.ProtostuffSerializer}. Thread-safe.
 *
 * <pre class="code">
 * Serializer serializer = new JacksonSerializer(TypeOptions.NONE.withSubtypes(Payment.class, Card.class));
 * </pre>
 *
 * <p>
 * <b>Form.</b> Arguments are an array, a result is one value. A bean or a record is an
 * object with a property for each carried field, under the field's name. Getters, mixins
 * and annotations of Jackson have no effect. Null is {@code null}. Enums are names;
 * java.time, {@code UUID} and decimals are text; {@code byte[]} is base64. A map is an
 * object if its keys have a text form, else an array of pairs. An {@code Optional} is an
 * array of one element or none. A value of several possible types and a declared
 * exception begin with the property {@code "@type"}: the shortest name that is unique
 * among the types of the contract. No other name is accepted, and none is looked up as a
 * class.
 *
 * <p>
 * <b>Reading.</b> Nesting is bounded by 64 levels. An unknown, missing or duplicate
 * property and anything behind the value are errors. A peer with another contract is read
 * by names and aliases.
 *
 * @since 0.1.0
 */
public final class JacksonSerializer implements Serializer {

	/** Name and version of the layout of values. */
	private static final String FORMAT = "json/1";

	private final TypeOptions types;

	private final KnownCodecs codecs = new KnownCodecs();

	/**
	 * Creates a serializer for the built-in types and the types that interfaces declare.
	 */
	public JacksonSerializer() {
		this(TypeOptions.NONE);
	}

	/**
	 * Creates a serializer for more types.
	 * @param types additional types
	 * @throws io.rpcboot.RpcConfigurationException if a type cannot be added
	 */
	public JacksonSerializer(TypeOptions types) {
		this.types = TypeRules.check(types);
	}

	@Override
	public JacksonSerializer with(TypeOptions types) {
		return new JacksonSerializer(this.types.with(types));
	}

	@Override
	public String name() {
		return "json";
	}

	@Override
	public ServiceCodec codec(ServiceDescriptor service) {
		return this.codecs.get(service, () -> {
			JsonStreams streams = new JsonStreams();
			return new GraphCodec(ServiceGraph.of(service, FORMAT, this.types), () -> new JsonFormat(streams));
		});
	}

}
