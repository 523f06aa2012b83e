package io.rpcboot.spring.autoconfigure.client;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.rpcboot.client.RpcClient;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.StartFailure;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/** Tests the start-up failures of wrong references. */
@ExtendWith(OutputCaptureExtension.class)
public class BadReferenceTests {

	private static final String GREETER = Greeter.class.getName();

	private static final String MISSING = " requires a bean of type " + GREETER
			+ " (expected: @RpcReference, because there is no such bean, only rpcReference:" + GREETER
			+ ", rpcReference:" + GREETER + ":2)";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("rpc.server.port=0", "rpc.server.shutdown.grace-period=0", "rpc.client.warm-up=0")
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcRegistryAutoConfiguration.class,
				RpcSerializationAutoConfiguration.class, RpcServerAutoConfiguration.class));

	@Test
	void constructorParameter_isRejected_withoutAnnotation() {
		FailureAnalysis analysis = StartFailure
			.of(this.runner.withBean(References.class).withBean(PlainConstructor.class));
		assertThat(analysis.getDescription())
			.isEqualTo("Parameter 0 of constructor in " + PlainConstructor.class.getName() + MISSING);
		assertThat(analysis.getAction()).isEqualTo("Annotate the parameter with @RpcReference and the attributes of "
				+ "the reference, or declare a bean of type " + GREETER + ".");
	}

	@Test
	void field_isRejected_withoutAnnotation() {
		FailureAnalysis analysis = StartFailure.of(this.runner.withBean(References.class).withBean(PlainField.class));
		assertThat(analysis.getDescription()).isEqualTo("Field greeter in " + PlainField.class.getName() + MISSING);
		assertThat(analysis.getAction()).startsWith("Annotate the field with @RpcReference");
	}

	@Test
	void beanMethodParameter_isRejected_withoutAnnotation() {
		FailureAnalysis analysis = StartFailure
			.of(this.runner.withBean(References.class).withUserConfiguration(PlainBeanMethod.class));
		assertThat(analysis.getDescription())
			.isEqualTo("Parameter 0 of method user in " + PlainBeanMethod.class.getName() + MISSING);
	}

	@Test
	void injectionFailure_isLeftToSpringBoot_withoutAnyReference() {
		FailureAnalysis analysis = StartFailure.of(this.runner.withBean(PlainConstructor.class));
		assertThat(analysis.getDescription()).contains("required a bean of type '" + GREETER + "'");
	}

	@Test
	void injectionFailure_printsNoStackTrace(CapturedOutput output) {
		assertThatException().isThrownBy(() -> SpringApplication.run(PlainApplication.class));
		assertThat(output).contains("APPLICATION FAILED TO START", "in " + PlainConstructor.class.getName() + MISSING)
			.doesNotContain("\tat ");
	}

	static Stream<Arguments> containers() {
		String several = "Use ObjectProvider<Greeter>, or an @RpcReference Greeter for each version or group: "
				+ "a reference is one service, and the load balancer chooses among its instances.";
		String later = "Use ObjectProvider<Greeter> instead.";
		return Stream.of(Arguments.of(ListField.class, "java.util.List<" + GREETER + ">", several),
				Arguments.of(SetField.class, "java.util.Set<" + GREETER + ">", several),
				Arguments.of(MapField.class, "java.util.Map<java.lang.String, " + GREETER + ">", several),
				Arguments.of(ArrayField.class, GREETER + "[]", several),
				Arguments.of(SupplierField.class, "java.util.function.Supplier<" + GREETER + ">", later),
				Arguments.of(FutureField.class, "java.util.concurrent.CompletableFuture<" + GREETER + ">", later));
	}

	@ParameterizedTest
	@MethodSource("containers")
	void containerOfReferences_isRejected(Class<?> user, String type, String action) {
		FailureAnalysis analysis = StartFailure.of(this.runner.withBean(user));
		assertThat(analysis.getDescription())
			.isEqualTo("@RpcReference at field greeter of " + user.getName() + " has type " + type
					+ " (expected: the interface of the service, or ObjectProvider or Optional of it)");
		assertThat(analysis.getAction()).isEqualTo(action);
	}

	@Test
	void genericInterface_isRejected_asReference() {
		FailureAnalysis analysis = StartFailure.of(this.runner.withBean(CrudUser.class));
		assertThat(analysis.getDescription())
			.isEqualTo("@RpcReference of " + Crud.class.getName() + ": " + Crud.class.getName()
					+ ".all(): result: T cannot be sent: a service is known by the name of its interface alone, "
					+ "which does not say what the type variable of Crud stands for");
		assertThat(analysis.getAction()).isEqualTo("Declare an interface that says it, such as "
				+ "'interface UserCrud extends Crud<User>', and use that one for the service and its references.");
	}

	@Test
	void genericInterface_isRejected_asService() {
		FailureAnalysis analysis = StartFailure.of(this.runner.withBean(CrudService.class));
		assertThat(analysis.getDescription()).contains("T cannot be sent: a service is known by the name");
		assertThat(analysis.getAction()).contains("'interface UserCrud extends Crud<User>'");
	}

	@Test
	void interfaceWithBoundTypeVariable_isAccepted() {
		this.runner.withBean(UserCrudService.class).withBean(UserCrudUser.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(RpcClient.class).references())
				.extracting((reference) -> reference.service().toString())
				.containsExactly(UserCrud.class.getName());
		});
	}

	public interface Crud<T> {

		List<T> all();

	}

	public record User(String name) {
	}

	public interface UserCrud extends Crud<User> {

	}

	static class CrudUser {

		@RpcReference
		private Crud<User> crud;

	}

	static class UserCrudUser {

		@RpcReference
		private UserCrud crud;

	}

	@RpcService
	static class CrudService implements Crud<User> {

		@Override
		public List<User> all() {
			return List.of();
		}

	}

	@RpcService
	static class UserCrudService implements UserCrud {

		@Override
		public List<User> all() {
			return List.of();
		}

	}

	static class References {

		@RpcReference
		private Greeter greeter;

		@RpcReference(version = "2")
		private Greeter second;

	}

	static class PlainConstructor {

		PlainConstructor(Greeter greeter) {
		}

	}

	static class PlainField {

		@Autowired
		private Greeter greeter;

	}

	@Configuration(proxyBeanMethods = false)
	static class PlainBeanMethod {

		@Bean
		Object user(Greeter greeter) {
			return greeter;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ References.class, PlainConstructor.class })
	static class PlainApplication {

	}

	static class ListField {

		@RpcReference
		private List<Greeter> greeter;

	}

	static class SetField {

		@RpcReference
		private Set<Greeter> greeter;

	}

	static class MapField {

		@RpcReference
		private Map<String, Greeter> greeter;

	}

	static class ArrayField {

		@RpcReference
		private Greeter[] greeter;

	}

	static class SupplierField {

		@RpcReference
		private Supplier<Greeter> greeter;

	}

	static class FutureField {

		@RpcReference
		private CompletableFuture<Greeter> greeter;

	}

}
