package io.rpcboot.spring.autoconfigure.serialization;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.rpcboot.serialization.Delegate;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.TypeOptions;
import io.rpcboot.serialization.jackson.JacksonSerializer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.spring.autoconfigure.serialization.SerializerCatalog.BuiltIn;
import io.rpcboot.spring.serialization.SpringTypes;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.util.ClassUtils;

/**
 * Auto-configuration of the serializers that client and server choose from by name.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@EnableConfigurationProperties(RpcSerializationProperties.class)
public final class RpcSerializationAutoConfiguration {

	@Bean
	SerializerCatalog rpcSerializerCatalog(RpcSerializationProperties properties,
			ObjectProvider<Delegate<?, ?>> delegates, ObjectProvider<Serializer> serializers,
			ApplicationContext context) {
		ClassLoader loader = context.getClassLoader();
		TypeOptions types = types(properties, delegates.orderedStream(), SpringTypes.delegates(loader));
		return new SerializerCatalog(
				List.of(new BuiltIn("protostuff", null, () -> new ProtostuffSerializer(types)),
						new BuiltIn("json",
								missing(loader, "tools.jackson.core.json.JsonFactory",
										"tools.jackson.core:jackson-core"),
								() -> new JacksonSerializer(types))),
				serializers.orderedStream().map((each) -> each.with(types)).toList(), types);
	}

	/**
	 * Returns the options of types. A delegate of the application overrides the built-in
	 * one of the same type.
	 */
	private static TypeOptions types(RpcSerializationProperties properties, Stream<Delegate<?, ?>> own,
			List<Delegate<?, ?>> ours) {
		TypeOptions types = TypeOptions.NONE.withSubtypesName("rpc.serialization.subtypes");
		for (Map.Entry<Class<?>, List<Class<?>>> each : properties.subtypes().entrySet()) {
			types = types.withSubtypes(each.getKey(), each.getValue().toArray(Class[]::new));
		}
		for (Delegate<?, ?> each : own.toList()) {
			types = types.withDelegate(each);
		}
		for (Delegate<?, ?> each : ours) {
			types = types.delegates().containsKey(each.type()) ? types : types.withDelegate(each);
		}
		return types;
	}

	private static @Nullable String missing(@Nullable ClassLoader loader, String type, String library) {
		return ClassUtils.isPresent(type, loader) ? null : library;
	}

}
