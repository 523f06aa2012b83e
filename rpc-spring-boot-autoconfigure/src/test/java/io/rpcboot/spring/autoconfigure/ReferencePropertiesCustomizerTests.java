package io.rpcboot.spring.autoconfigure;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rpcboot.client.Callbacks;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.spring.Greeter;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.BatchingOptions.Mode;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ReferencePropertiesCustomizerTests {

	private static final BatchingOptions CLIENT = BatchingOptions.defaults()
		.withMode(Mode.ALWAYS)
		.withMaxMessages(7)
		.withMaxBytes(7000)
		.withMaxDelay(Duration.ofMillis(7));

	private final Map<String, Object> set = new HashMap<>();

	private ReferenceOptions customized(String name) {
		RpcClientProperties properties = new Binder(new MapConfigurationPropertySource(this.set))
			.bindOrCreate("rpc.client", RpcClientProperties.class);
		SerializerCatalog serializers = new SerializerCatalog(
				List.of(new SerializerCatalog.BuiltIn("protostuff", "nothing", () -> null)), List.of());
		return new ReferencePropertiesCustomizer(properties, serializers, () -> CLIENT, Set::of)
			.customize(Greeter.class, name, ReferenceOptions.defaults());
	}

	@Test
	void whatIsNotSetIsLeftToTheClient() {
		this.set.put("rpc.client.references.users.timeout", "1s");
		assertThat(customized("users")).usingRecursiveComparison()
			.isEqualTo(ReferenceOptions.defaults().withTimeout(Duration.ofSeconds(1)));
		assertThat(customized("others")).isSameAs(ReferenceOptions.defaults());
	}

	@Test
	void eachValueOfBatchingThatIsNotSetIsThatOfTheClient() {
		this.set.put("rpc.client.references.users.batching.max-messages", "3");
		assertThat(customized("users").batching()).isEqualTo(BatchingOptions.defaults()
			.withMode(Mode.ALWAYS)
			.withMaxMessages(3)
			.withMaxBytes(7000)
			.withMaxDelay(Duration.ofMillis(7)));
		this.set.clear();
		this.set.put("rpc.client.references.users.batching.mode", "never");
		assertThat(customized("users").batching()).isEqualTo(BatchingOptions.defaults()
			.withMode(Mode.NEVER)
			.withMaxMessages(7)
			.withMaxBytes(7000)
			.withMaxDelay(Duration.ofMillis(7)));
		this.set.put("rpc.client.references.users.batching.max-bytes", "2KB");
		this.set.put("rpc.client.references.users.batching.max-delay", "2ms");
		assertThat(customized("users").batching()).isEqualTo(BatchingOptions.defaults()
			.withMode(Mode.NEVER)
			.withMaxMessages(7)
			.withMaxBytes(2048)
			.withMaxDelay(Duration.ofMillis(2)));
	}

	@Test
	void waitForInstance() {
		this.set.put("rpc.client.references.users.wait-for-instance", "0");
		assertThat(customized("users").waitForInstance()).isEqualTo(Duration.ZERO);
		this.set.put("rpc.client.references.users.wait-for-instance", "-1s");
		assertThatExceptionOfType(InvalidPropertyException.class).isThrownBy(() -> customized("users"))
			.withMessage("rpc.client.references.users.wait-for-instance: PT-1S (expected: 0 (never wait) or more)");
	}

	@Test
	void timeoutsOfMethods() {
		this.set.put("rpc.client.references.users.methods.GREET.timeout", "70ms");
		this.set.put("rpc.client.references.users.detached", "true");
		assertThat(customized("users").methodTimeouts()).containsExactly(Map.entry("greet", Duration.ofMillis(70)));
		assertThat(customized("users").isDetached()).isTrue();
		this.set.put("rpc.client.references.users.methods.GREET.timeout", "0");
		assertThatExceptionOfType(InvalidPropertyException.class).isThrownBy(() -> customized("users"))
			.withMessage("rpc.client.references.users.methods.GREET.timeout: PT0S "
					+ "(expected: a positive duration such as 3s)");
	}

	@Test
	void aMethodThatDoesNotExist() {
		this.set.put("rpc.client.references.users.methods.great.timeout", "70ms");
		assertThatExceptionOfType(InvalidPropertyException.class).isThrownBy(() -> customized("users"))
			.withMessageContaining("rpc.client.references.users.methods")
			.withMessageContaining("'great' (expected: a method of io.rpcboot.spring.Greeter: greet");
	}

	@Test
	void callbacks() {
		this.set.put("rpc.client.references.users.callbacks", "event-loop");
		assertThat(customized("users").callbacks()).isEqualTo(Callbacks.EVENT_LOOP);
	}

}
