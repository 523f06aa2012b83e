package io.rpcboot.spring;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.springframework.util.LinkedCaseInsensitiveMap;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests Spring's own containers in members of the JDK's interfaces. */
class SpringContainersTests {

	@Test
	void caseInsensitiveMap_isRejected() {
		MethodCodec codec = new ProtostuffSerializer().codec(ServiceDescriptor.of(Service.class)).method(0);
		Map<String, String> headers = new LinkedCaseInsensitiveMap<>();
		headers.put("1", "a number");
		headers.put("Content-Type", "text/plain");
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> codec.serializeResult(headers, new OutputBuffer(new byte[16], 1000)))
			.withMessageContaining(
					"headers(): result: org.springframework.util.LinkedCaseInsensitiveMap, which finds 'content-type' without having it");
	}

	/** A map of headers. */
	public interface Service {

		Map<String, String> headers();

	}

}
