package io.rpcboot.spring.autoconfigure;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.spring.Greeter;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

class ServicePropertiesTests {

	private static final ServiceDescriptor GREETER = ServiceDescriptor.of(Greeter.class);

	private final Map<String, Object> set = new HashMap<>();

	private ServiceOptions optionsOf(ServiceDescriptor service) {
		RpcServerProperties properties = new Binder(new MapConfigurationPropertySource(this.set))
			.bindOrCreate("rpc.server", RpcServerProperties.class);
		SerializerCatalog serializers = new SerializerCatalog(
				List.of(new SerializerCatalog.BuiltIn("protostuff", null, ProtostuffSerializer::new)), List.of());
		return new ServiceProperties(properties.services(), serializers).optionsOf(service);
	}

	@Test
	void nothingSetMeansAsTheServer() {
		assertThat(optionsOf(GREETER)).isSameAs(ServiceOptions.defaults());
	}

	@Test
	void serviceAndMethodBySimpleName() {
		this.set.put("rpc.server.services.Greeter.dispatch", "pool");
		this.set.put("rpc.server.services.Greeter.methods.greet.dispatch", "event-loop");
		this.set.put("rpc.server.services.Greeter.serializers", "protostuff");
		ServiceOptions options = optionsOf(GREETER);
		assertThat(options.dispatch()).isEqualTo(Dispatch.POOL);
		assertThat(options.methodDispatch()).containsExactly(entry("greet", Dispatch.EVENT_LOOP));
		assertThat(options.serializers()).extracting(Serializer::name).containsExactly("protostuff");
	}

	@Test
	void limitsOfServiceAndMethod() {
		this.set.put("rpc.server.services.Greeter.max-threads", "8");
		this.set.put("rpc.server.services.Greeter.methods.greet.max-threads", "2");
		ServiceOptions options = optionsOf(GREETER);
		assertThat(options.maxThreads()).isEqualTo(8);
		assertThat(options.methodMaxThreads()).containsExactly(entry("greet", 2));
		assertThat(options.methodDispatch()).isEmpty();
	}

	@Test
	void theIdentityGoesBeforeTheSimpleName() {
		ServiceDescriptor versioned = ServiceDescriptor.of(Greeter.class, "2", "");
		this.set.put("rpc.server.services[%s].dispatch".formatted(versioned.id()), "event_loop");
		this.set.put("rpc.server.services.Greeter.dispatch", "pool");
		assertThat(optionsOf(versioned).dispatch()).isEqualTo(Dispatch.EVENT_LOOP);
		assertThat(optionsOf(GREETER).dispatch()).isEqualTo(Dispatch.POOL);
	}

}
