package io.rpcboot.serialization;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.stream.Stream;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.jackson.JacksonSerializer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.workload.UserService;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A serializer walks once through a service that a process offers and calls.
 */
class KnownCodecsTests {

	static Stream<Serializer> serializers() {
		return Stream.of(new ProtostuffSerializer(), new JacksonSerializer());
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void codec_isSharedByClientAndServer(Serializer serializer) {
		ServiceCodec server = serializer.codec(ServiceDescriptor.of(UserService.class, "1", ""));
		assertThat(serializer.codec(ServiceDescriptor.of(UserService.class, "1", ""))).isSameAs(server);
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void serviceVersion_hasItsOwnCodec(Serializer serializer) {
		ServiceCodec first = serializer.codec(ServiceDescriptor.of(UserService.class, "1", ""));
		assertThat(serializer.codec(ServiceDescriptor.of(UserService.class, "2", ""))).isNotSameAs(first);
		assertThat(serializer.codec(ServiceDescriptor.of(UserService.class, "1", ""))).isSameAs(first);
	}

}
