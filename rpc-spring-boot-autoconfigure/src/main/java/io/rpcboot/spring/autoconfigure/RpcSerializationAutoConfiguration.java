package io.rpcboot.spring.autoconfigure;

import java.util.List;

import io.protostuff.runtime.Delegate;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.fory.ForySerializer;
import io.rpcboot.serialization.jackson.JacksonSerializer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.spring.autoconfigure.SerializerCatalog.BuiltIn;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.util.ClassUtils;

/**
 * The serializers that client and server choose from by name.
 */
@AutoConfiguration
@EnableConfigurationProperties(RpcSerializationProperties.class)
public final class RpcSerializationAutoConfiguration {

	@Bean
	SerializerCatalog rpcSerializerCatalog(RpcSerializationProperties properties,
			ObjectProvider<Delegate<?>> delegates, ObjectProvider<Serializer> serializers) {
		return new SerializerCatalog(List.of(
				new BuiltIn("protostuff", null, () -> protostuff(properties, delegates)),
				new BuiltIn("json", missing("tools.jackson.databind.json.JsonMapper", "tools.jackson.core:jackson-databind"),
						() -> new JacksonSerializer(protostuff(properties, delegates))),
				new BuiltIn("fory", missing("org.apache.fory.Fory", "org.apache.fory:fory-core"),
						() -> new ForySerializer(protostuff(properties, delegates)))),
				serializers.orderedStream().toList());
	}

	private static ProtostuffSerializer protostuff(RpcSerializationProperties properties,
			ObjectProvider<Delegate<?>> delegates) {
		ProtostuffSerializer.Builder builder = ProtostuffSerializer.builder();
		delegates.orderedStream().forEach(builder::delegate);
		properties.subtypes().forEach((base, subtypes) -> builder.subtypes(base, subtypes.toArray(Class[]::new)));
		return builder.build();
	}

	private static @Nullable String missing(String type, String library) {
		return ClassUtils.isPresent(type, RpcSerializationAutoConfiguration.class.getClassLoader()) ? null : library;
	}

}
