package io.rpcboot.spring.autoconfigure.server;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.ServiceId;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.TypeOptions;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.autoconfigure.properties.InvalidPropertyException;
import io.rpcboot.spring.autoconfigure.serialization.SerializerCatalog;
import io.rpcboot.spring.reference.PolicyBeans;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

class ServicePropertiesTests {

	private static final ServiceDescriptor GREETER = ServiceDescriptor.of(Greeter.class);

	private final Map<String, Object> set = new HashMap<>();

	private ServiceProperties properties;

	private ServiceOptions optionsOf(ServiceDescriptor service) {
		return optionsOf(List.of(service)).getOrDefault(service.id(), ServiceOptions.defaults());
	}

	private Map<ServiceId, ServiceOptions> optionsOf(List<ServiceDescriptor> services) {
		RpcServerProperties properties = new Binder(new MapConfigurationPropertySource(this.set))
			.bindOrCreate("rpc.server", RpcServerProperties.class);
		SerializerCatalog serializers = new SerializerCatalog(
				List.of(new SerializerCatalog.BuiltIn("protostuff", null, ProtostuffSerializer::new)), List.of(),
				TypeOptions.NONE);
		this.properties = new ServiceProperties(properties.services(), serializers,
				new PolicyBeans(new DefaultListableBeanFactory()), false, Set.of());
		Map<ServiceDescriptor, ServiceOptions> declared = new LinkedHashMap<>();
		services.forEach((each) -> declared.put(each, ServiceOptions.defaults()));
		Map<ServiceId, ServiceOptions> options = new HashMap<>();
		this.properties.customize(declared).forEach((each, changed) -> options.put(each.id(), changed));
		return options;
	}

	@Test
	void options_areDefaults_withoutProperties() {
		assertThat(optionsOf(GREETER)).isSameAs(ServiceOptions.defaults());
	}

	@Test
	void serviceAndMethodProperties_matchSimpleName() {
		this.set.put("rpc.server.services.Greeter.dispatch", "pool");
		this.set.put("rpc.server.services.Greeter.methods.greet.dispatch", "event-loop");
		this.set.put("rpc.server.services.Greeter.serializers", "protostuff");
		ServiceOptions options = optionsOf(GREETER);
		assertThat(options.dispatch()).isEqualTo(Dispatch.POOL);
		assertThat(options.methodDispatch()).containsExactly(entry("greet", Dispatch.EVENT_LOOP));
		assertThat(options.serializers()).extracting(Serializer::name).containsExactly("protostuff");
	}

	@Test
	void methodIdempotence_isSetWithOrigin() {
		this.set.put("rpc.server.services.Greeter.methods.GREET.idempotent", "true");
		this.set.put("rpc.server.services.Greeter.dispatch", "pool");
		assertThat(optionsOf(GREETER).idempotence()).containsExactly(entry("greet", true));
		assertThat(this.properties.origins(GREETER.id())).containsOnly(
				entry("methods.greet.idempotent", "rpc.server.services.Greeter.methods.greet.idempotent"),
				entry("dispatch", "rpc.server.services.Greeter.dispatch"));
		assertThat(this.properties.origins(ServiceId.parse("other"))).isEmpty();
	}

	@Test
	void interceptors_areRejected_withoutBean() {
		this.set.put("rpc.server.services.Greeter.interceptors", "nobody");
		assertThatExceptionOfType(InvalidPropertyException.class).isThrownBy(() -> optionsOf(GREETER))
			.withMessage("rpc.server.services.Greeter.interceptors: 'nobody' "
					+ "(expected: names of beans of type RpcServerInterceptor; there is none)");
	}

	@Test
	void threadLimits_areSetForServiceAndMethod() {
		this.set.put("rpc.server.services.Greeter.max-threads", "8");
		this.set.put("rpc.server.services.Greeter.methods.greet.max-threads", "2");
		ServiceOptions options = optionsOf(GREETER);
		assertThat(options.maxThreads()).isEqualTo(8);
		assertThat(options.methodMaxThreads()).containsExactly(entry("greet", 2));
		assertThat(options.methodDispatch()).isEmpty();
	}

	@Test
	void serviceIdProperties_overrideSimpleNameProperties() {
		ServiceDescriptor versioned = ServiceDescriptor.of(Greeter.class, "2", "");
		this.set.put("rpc.server.services[%s].dispatch".formatted(versioned.id()), "event_loop");
		this.set.put("rpc.server.services.Greeter.dispatch", "pool");
		Map<ServiceId, ServiceOptions> options = optionsOf(List.of(GREETER, versioned));
		assertThat(options.get(versioned.id()).dispatch()).isEqualTo(Dispatch.EVENT_LOOP);
		assertThat(options.get(GREETER.id()).dispatch()).isEqualTo(Dispatch.POOL);
	}

	/** One version has a setting of its own, and no list. */
	@Test
	void callersOfSimpleName_hold_besideServiceIdProperties() {
		ServiceDescriptor versioned = ServiceDescriptor.of(Greeter.class, "2", "");
		this.set.put("rpc.server.services.Greeter.allow", "shop");
		this.set.put("rpc.server.services[%s].max-threads".formatted(versioned.id()), "5");
		Map<ServiceId, ServiceOptions> options = optionsOf(List.of(GREETER, versioned));
		assertThat(options.get(versioned.id()).allow()).isEqualTo(options.get(GREETER.id()).allow())
			.containsExactly("shop");
		this.set.put("rpc.server.services[%s].allow".formatted(versioned.id()), "till");
		assertThat(optionsOf(List.of(GREETER, versioned)).get(versioned.id()).allow()).containsExactly("till");
	}

	@Test
	void simpleName_isRejected_whenEveryServiceIsSetByServiceId() {
		ServiceDescriptor versioned = ServiceDescriptor.of(Greeter.class, "2", "");
		this.set.put("rpc.server.services[%s].dispatch".formatted(versioned.id()), "event_loop");
		this.set.put("rpc.server.services.Greeter.dispatch", "pool");
		assertThatExceptionOfType(InvalidPropertyException.class).isThrownBy(() -> optionsOf(versioned))
			.withMessageStartingWith("rpc.server.services: 'Greeter' (expected: ");
	}

	@Test
	void simpleName_isMatchedInEnvironmentForm() {
		ServiceDescriptor stock = ServiceDescriptor.of(StockService.class);
		this.set.put("rpc.server.services.stockservice.dispatch", "event-loop");
		this.set.put("rpc.server.services.stockservice.methods.itemcount.max-threads", "2");
		assertThat(optionsOf(stock).dispatch()).isEqualTo(Dispatch.EVENT_LOOP);
		assertThat(optionsOf(stock).methodMaxThreads()).containsExactly(entry("itemCount", 2));
	}

	@Test
	void serviceId_isMatchedInEnvironmentForm() {
		ServiceDescriptor versioned = ServiceDescriptor.of(Greeter.class, "2", "");
		this.set.put("rpc.server.services.iorpcbootspringgreeter2.dispatch", "event-loop");
		this.set.put("rpc.server.services.greeter.dispatch", "pool");
		Map<ServiceId, ServiceOptions> options = optionsOf(List.of(GREETER, versioned));
		assertThat(options.get(versioned.id()).dispatch()).isEqualTo(Dispatch.EVENT_LOOP);
		assertThat(options.get(GREETER.id()).dispatch()).isEqualTo(Dispatch.POOL);
	}

	@Test
	void methodName_isRejected_whenAmbiguousIgnoringCase() {
		ServiceDescriptor twins = ServiceDescriptor.of(Twins.class);
		this.set.put("rpc.server.services.Twins.methods.getUser.max-threads", "2");
		assertThat(optionsOf(twins).methodMaxThreads()).containsExactly(entry("getUser", 2));
		this.set.clear();
		this.set.put("rpc.server.services.Twins.methods.getuser.max-threads", "2");
		assertThatExceptionOfType(InvalidPropertyException.class).isThrownBy(() -> optionsOf(twins))
			.withMessage("rpc.server.services.Twins.methods: 'getuser' (expected: an entry for one name; "
					+ "environment variables and Spring Boot do not distinguish 'getUser', 'get_user')");
	}

	public interface StockService {

		int itemCount();

	}

	public interface Twins {

		String getUser();

		String get_user();

	}

}
