package io.rpcboot.grpc;

import java.lang.reflect.Modifier;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.serialization.Delegate;
import io.rpcboot.serialization.GeneratedMessage;
import io.rpcboot.serialization.ProtoDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Messages that protoc has generated for protobuf-java, as values of methods.
 *
 * @since 0.1.0
 */
public final class ProtobufJava implements GeneratedMessage.Library {

	@Override
	public @Nullable GeneratedMessage find(Class<?> type) {
		if (!MessageLite.class.isAssignableFrom(type) || Modifier.isAbstract(type.getModifiers())) {
			return null;
		}
		try {
			return of(type.asSubclass(MessageLite.class),
					(MessageLite) type.getMethod("getDefaultInstance").invoke(null));
		}
		catch (ReflectiveOperationException ex) {
			return null; // not generated, such as DynamicMessage
		}
	}

	private static <M extends MessageLite> GeneratedMessage of(Class<M> type, MessageLite empty) {
		String name = (empty instanceof Message full) ? full.getDescriptorForType().getFullName() : type.getName();
		return new GeneratedMessage(name, new Delegate<M, byte[]>(type, byte[].class, MessageLite::toByteArray,
				(bytes) -> type.cast(parse(name, empty, bytes))), () -> file(name, empty));
	}

	private static MessageLite parse(String name, MessageLite empty, byte[] bytes) {
		try {
			return empty.getParserForType().parseFrom(bytes);
		}
		catch (InvalidProtocolBufferException ex) {
			throw new IllegalArgumentException("%s (expected: a %s)".formatted(ex.getMessage(), name), ex);
		}
	}

	private static ProtoDescriptor file(String name, MessageLite empty) {
		if (empty instanceof Message full) {
			return GeneratedFiles.of(full.getDescriptorForType().getFile());
		}
		throw new RpcConfigurationException("%s has no descriptor (expected: one, to declare it)".formatted(name),
				"Let protoc generate the class without the option lite, or give clients the .proto by hand.");
	}

}
