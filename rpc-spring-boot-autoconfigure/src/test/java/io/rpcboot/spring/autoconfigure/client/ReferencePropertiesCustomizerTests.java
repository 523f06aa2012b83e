package io.rpcboot.spring.autoconfigure.client;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rpcboot.client.CallbackThread;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.resilience.RetryOptions;
import io.rpcboot.resilience.RoutingOptions;
import io.rpcboot.serialization.TypeOptions;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.autoconfigure.properties.InvalidPropertyException;
import io.rpcboot.spring.autoconfigure.serialization.SerializerCatalog;
import io.rpcboot.spring.autoconfigure.ssl.TlsBundles;
import io.rpcboot.spring.reference.PolicyBeans;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.BatchingOptions.Mode;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ReferencePropertiesCustomizerTests {

	private static final BatchingOptions CLIENT = BatchingOptions.defaults()
		.withMode(Mode.ALWAYS)
		.withMaxMessages(7)
		.withMaxBytes(7000)
		.withMaxDelay(Duration.ofMillis(7));

	private static final ResilienceOptions RESILIENCE = ResilienceOptions.defaults()
		.withRouting(RoutingOptions.defaults().withZone("west").withTag("blue"))
		.withRetry(RetryOptions.defaults().withMaxAttempts(5).withBudget(0.5));

	private final Map<String, Object> set = new HashMap<>();

	private ReferenceOptions customized(String name) {
		return customizer().customize(Greeter.class, name, ReferenceOptions.defaults());
	}

	private ReferencePropertiesCustomizer customizer() {
		RpcClientProperties properties = new Binder(new MapConfigurationPropertySource(this.set))
			.bindOrCreate("rpc.client", RpcClientProperties.class);
		SerializerCatalog serializers = new SerializerCatalog(
				List.of(new SerializerCatalog.BuiltIn("protostuff", "nothing", () -> null)), List.of(),
				TypeOptions.NONE);
		TlsBundles tls = new TlsBundles(new DefaultSslBundleRegistry(), (options) -> options, (before, next) -> {
		});
		return new ReferencePropertiesCustomizer(new ReferenceEntries(properties, Set::of), tls, serializers,
				new BuiltClient(), new PolicyBeans(new DefaultListableBeanFactory()));
	}

	@Test
	void unsetOptions_keepValuesOfClient() {
		this.set.put("rpc.client.references.users.timeout", "1s");
		assertThat(customized("users")).usingRecursiveComparison()
			.isEqualTo(ReferenceOptions.defaults().withTimeout(Duration.ofSeconds(1)));
		assertThat(customized("others")).isSameAs(ReferenceOptions.defaults());
	}

	@Test
	void unsetBatchingValues_keepValuesOfClient() {
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
	void unsetResilienceValues_keepValuesOfClient() {
		this.set.put("rpc.client.references.users.retry.max-attempts", "2");
		assertThat(customized("users").resilience()).usingRecursiveComparison()
			.isEqualTo(RESILIENCE.withRetry(RESILIENCE.retry().withMaxAttempts(2)));
		this.set.put("rpc.client.services.Greeter.retry.max-attempts", "3");
		this.set.put("rpc.client.services.Greeter.retry.budget", "0");
		this.set.put("rpc.client.services.Greeter.routing.strict", "true");
		this.set.put("rpc.client.references.users.routing.tag", "");
		this.set.put("rpc.client.references.users.ejection.enabled", "false");
		assertThat(customized("users").resilience()).usingRecursiveComparison()
			.isEqualTo(RESILIENCE.withRetry(RESILIENCE.retry().withMaxAttempts(2).withBudget(0))
				.withRouting(RESILIENCE.routing().withTag("").withStrict(true))
				.withEjection(RESILIENCE.ejection().withEnabled(false)));
		assertThat(customizer().origins(Greeter.class, "users", ReferenceOptions.defaults())).containsOnly(
				Map.entry("retry.max-attempts", "rpc.client.references.users.retry.max-attempts"),
				Map.entry("retry.budget", "rpc.client.services.Greeter.retry.budget"),
				Map.entry("routing.strict", "rpc.client.services.Greeter.routing.strict"),
				Map.entry("routing.tag", "rpc.client.references.users.routing.tag"),
				Map.entry("ejection.enabled", "rpc.client.references.users.ejection.enabled"));
		assertThat(customizer().origins(Greeter.class, "others", ReferenceOptions.defaults()))
			.containsEntry("retry.max-attempts", "rpc.client.services.Greeter.retry.max-attempts")
			.containsEntry("ejection.enabled", "rpc.client.ejection.enabled");
	}

	@Test
	void waitForInstance_isSetAndValidated() {
		this.set.put("rpc.client.references.users.wait-for-instance", "0");
		assertThat(customized("users").waitForInstance()).isEqualTo(Duration.ZERO);
		this.set.put("rpc.client.references.users.wait-for-instance", "-1s");
		assertThatExceptionOfType(InvalidPropertyException.class).isThrownBy(() -> customized("users"))
			.withMessage("rpc.client.references.users.wait-for-instance: PT-1S (expected: 0 (never wait) or more)");
	}

	@Test
	void protocol_isSet() {
		assertThat(customized("users").protocol()).isNull();
		this.set.put("rpc.client.references.users.protocol", "grpc");
		assertThat(customized("users").protocol()).isEqualTo(Protocol.GRPC);
		assertThat(customizer().origins(Greeter.class, "users", ReferenceOptions.defaults())).containsEntry("protocol",
				"rpc.client.references.users.protocol");
	}

	@Test
	void methodTimeouts_areSetAndValidated() {
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
	void unknownMethod_isRejected() {
		this.set.put("rpc.client.references.users.methods.great.timeout", "70ms");
		assertThatExceptionOfType(InvalidPropertyException.class).isThrownBy(() -> customized("users"))
			.withMessageContaining("rpc.client.references.users.methods")
			.withMessageContaining("'great' (expected: a method of io.rpcboot.spring.Greeter: greet");
	}

	@Test
	void referenceProperties_overrideServiceProperties() {
		this.set.put("rpc.client.services.Greeter.timeout", "2s");
		this.set.put("rpc.client.services.Greeter.addresses", "127.0.0.1:1");
		this.set.put("rpc.client.services.Greeter.batching.max-messages", "3");
		this.set.put("rpc.client.services.Greeter.methods.greet.timeout", "60ms");
		this.set.put("rpc.client.services.Greeter.methods.greet.idempotent", "true");
		this.set.put("rpc.client.references.users.timeout", "1s");
		this.set.put("rpc.client.references.users.batching.max-bytes", "2KB");
		this.set.put("rpc.client.references.users.methods.greet.timeout", "70ms");
		ReferenceOptions unnamed = customized("");
		assertThat(unnamed.timeout()).hasSeconds(2);
		assertThat(unnamed.endpoints()).hasSize(1);
		assertThat(unnamed.methodTimeouts()).containsEntry("greet", Duration.ofMillis(60));
		assertThat(unnamed.idempotence()).containsEntry("greet", true);
		ReferenceOptions users = customized("users");
		assertThat(users.timeout()).hasSeconds(1);
		assertThat(users.endpoints()).hasSize(1);
		assertThat(users.batching().maxMessages()).isEqualTo(3);
		assertThat(users.batching().maxBytes()).isEqualTo(2048);
		assertThat(users.batching().mode()).isEqualTo(Mode.ALWAYS);
		assertThat(users.methodTimeouts()).containsEntry("greet", Duration.ofMillis(70));
		assertThat(users.idempotence()).containsEntry("greet", true);
		assertThat(customizer().origins(Greeter.class, "users", users)).containsOnly(
				Map.entry("timeout", "rpc.client.references.users.timeout"),
				Map.entry("addresses", "rpc.client.services.Greeter.addresses"),
				Map.entry("batching", "rpc.client.references.users.batching"),
				Map.entry("methods.greet.timeout", "rpc.client.references.users.methods.greet.timeout"),
				Map.entry("methods.greet.idempotent", "rpc.client.services.Greeter.methods.greet.idempotent"));
	}

	@Test
	void serviceIdProperties_overrideSimpleNameProperties() {
		this.set.put("rpc.client.references.users.version", "2");
		this.set.put("rpc.client.services[%s:2].timeout".formatted(Greeter.class.getName()), "2s");
		this.set.put("rpc.client.services.greeter.timeout", "1s");
		assertThat(customized("users").timeout()).hasSeconds(2);
		assertThat(customized("").timeout()).hasSeconds(1);
		assertThat(customizer().origins(Greeter.class, "users", customized("users"))).containsEntry("timeout",
				"rpc.client.services[%s:2].timeout".formatted(Greeter.class.getName()));
	}

	@Test
	void serviceProperties_areValidated() {
		this.set.put("rpc.client.services.Greeter.timeout", "0");
		assertThatExceptionOfType(InvalidPropertyException.class).isThrownBy(() -> customized("users"))
			.withMessage("rpc.client.services.Greeter.timeout: PT0S (expected: a positive duration such as 3s)");
		this.set.clear();
		this.set.put("rpc.client.services.Greeter.methods.great.idempotent", "true");
		assertThatExceptionOfType(InvalidPropertyException.class).isThrownBy(() -> customized(""))
			.withMessageContaining("rpc.client.services.Greeter.methods: 'great' (expected: a method of");
	}

	@Test
	void fallbackAndInterceptors_areRejected_withoutBean() {
		this.set.put("rpc.client.references.users.fallback", "nobody");
		assertThatExceptionOfType(InvalidPropertyException.class).isThrownBy(() -> customized("users"))
			.withMessage("rpc.client.references.users.fallback: 'nobody' (expected: the name of a bean that implements "
					+ Greeter.class.getName() + "; there is none)");
		this.set.clear();
		this.set.put("rpc.client.services.Greeter.interceptors", "nobody");
		assertThatExceptionOfType(InvalidPropertyException.class).isThrownBy(() -> customized(""))
			.withMessage("rpc.client.services.Greeter.interceptors: 'nobody' "
					+ "(expected: names of beans of type RpcClientInterceptor; there is none)");
	}

	@Test
	void callbackThread_isSetByReferenceProperty() {
		this.set.put("rpc.client.references.users.callbacks", "event-loop");
		assertThat(customized("users").callbacks()).isEqualTo(CallbackThread.EVENT_LOOP);
	}

	/** A client that was built with values of its own. */
	private static final class BuiltClient extends ClientDefaults {

		BuiltClient() {
			super(new DefaultListableBeanFactory().getBeanProvider(RpcClient.class));
		}

		@Override
		BatchingOptions batching() {
			return CLIENT;
		}

		@Override
		ResilienceOptions resilience() {
			return RESILIENCE;
		}

	}

}
