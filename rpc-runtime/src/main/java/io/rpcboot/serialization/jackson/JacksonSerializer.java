package io.rpcboot.serialization.jackson;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.serialization.types.GraphCodec;
import io.rpcboot.internal.serialization.types.KnownCodecs;
import io.rpcboot.internal.serialization.types.walk.ServiceGraph;
import io.rpcboot.internal.serialization.types.walk.TypeRules;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.TypeOptions;

/**
 * Writes JSON with the streams of Jackson 3, for people who read along, with the same
 * closed world of types and the same rules of contracts as the default serializer.
 * Thread-safe.
 *
 * <p>
 * <b>Form.</b> Arguments are an array, a result is one value. A bean or a record is an
 * object with a property for each field that the default serializer carries, under the
 * field's name; no getter, no mixin and no annotation of Jackson plays a part. Null is
 * {@code null}. Enums are names; java.time, {@code UUID} and decimals are text;
 * {@code byte[]} is base64. A map is an object where its keys have a text, else an array
 * of pairs. An {@code Optional} is an array of one element or none. Where several types
 * can stand, and for a declared exception, the first property is {@code "@type"}, the
 * shortest name that tells it from the others which the contract lists; no other name is
 * accepted, and none is ever looked up as a class.
 *
 * <p>
 * <b>Reading.</b> Nesting is bounded as in the default format; a property that the
 * writer's contract does not have, one that is missing or there twice, and anything
 * behind the value are errors. A peer with another contract is read by names and aliases.
 */
public final class JacksonSerializer implements Serializer {

	/** Another form of the same types would be another version. */
	private static final String FORMAT = "json/1";

	private final TypeOptions types;

	private final KnownCodecs codecs = new KnownCodecs();

	/**
	 * Create a serializer for the built-in types and what the interfaces declare.
	 */
	public JacksonSerializer() {
		this(TypeOptions.NONE);
	}

	/**
	 * Create a serializer for more types.
	 * @param types what is added
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
			JsonFormat format = new JsonFormat();
			return new GraphCodec(ServiceGraph.of(service, FORMAT, this.types), () -> new JsonNodes(format));
		});
	}

}
