package io.rpcboot.spring.autoconfigure.serialization;

import java.util.List;
import java.util.Map;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of serialization, for client and server.
 *
 * @param subtypes Subclasses that may appear in place of a declared class or interface,
 * by its class name in brackets; for types that cannot be annotated with @RpcSubtypes.
 */
@ConfigurationProperties(prefix = "rpc.serialization", ignoreUnknownFields = false)
record RpcSerializationProperties(@DefaultValue Map<Class<?>, List<Class<?>>> subtypes) {
}
