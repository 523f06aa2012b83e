package io.rpcboot.fuzz;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.FullWindows;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;

import static org.assertj.core.api.Assertions.assertThat;

/** The samples of {@link KitchenSink} have the same bytes wherever a window ends. */
class SamplesInWindowsTests {

	private final Map<String, Object[]> arguments = Samples.arguments();

	private final Map<String, Object> results = Samples.results();

	@Test
	void sampleBytes_areEqual_acrossWindowBoundaries() {
		ServiceDescriptor service = ServiceDescriptor.of(KitchenSink.class);
		ServiceCodec codec = new ProtostuffSerializer().codec(service);
		for (MethodDescriptor each : service.methods()) {
			MethodCodec method = codec.method(each.number());
			FullWindows.check((buffer) -> method.serializeArguments(this.arguments.get(each.name()), buffer));
			FullWindows.check((buffer) -> method.serializeResult(this.results.get(each.name()), buffer));
			for (Throwable thrown : List.of(new IOException("message"), new KitchenSink.Refused("refused", 5))) {
				boolean[] isDeclared = new boolean[1];
				byte[] bytes = FullWindows.check((buffer) -> isDeclared[0] = method.serializeException(thrown, buffer));
				assertThat(bytes.length > 0).isEqualTo(isDeclared[0]);
			}
		}
	}

}
