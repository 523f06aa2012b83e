package io.rpcboot.spring.autoconfigure;

import java.util.List;

import io.protostuff.runtime.Delegate;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.jackson.JacksonSerializer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.spring.autoconfigure.SerializerCatalog.BuiltIn;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.util.ClassUtils;

/**
 * The serializers that client and server choose from by name.
 */
@AutoConfiguration
@EnableConfigurationProperties(RpcSerializationProperties.class)
public final class RpcSerializationAutoConfiguration {

	@Bean
	SerializerCatalog rpcSerializerCatalog(RpcSerializationProperties properties, ObjectProvider<Delegate<?>> delegates,
			ObjectProvider<Serializer> serializers, ApplicationContext context) {
		ClassLoader loader = context.getClassLoader();
		return new SerializerCatalog(List.of(new BuiltIn("protostuff", null, () -> protostuff(properties, delegates)),
				new BuiltIn("json",
						missing(loader, "tools.jackson.core.json.JsonFactory", "tools.jackson.core:jackson-core"),
						() -> new JacksonSerializer(properties.subtypes()))),
				serializers.orderedStream().toList());
	}

	private static ProtostuffSerializer protostuff(RpcSerializationProperties properties,
			ObjectProvider<Delegate<?>> delegates) {
		ProtostuffSerializer.Builder builder = ProtostuffSerializer.builder();
		delegates.orderedStream().forEach(builder::delegate);
		properties.subtypes().forEach((base, subtypes) -> builder.subtypes(base, subtypes.toArray(Class[]::new)));
		return builder.build();
	}

	private static @Nullable String missing(@Nullable ClassLoader loader, String type, String library) {
		return ClassUtils.isPresent(type, loader) ? null : library;
	}

}
