package io.rpcboot.spring.reference;

import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

import io.rpcboot.client.RpcClient;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.reference.RpcReferenceInjectionTests.ClientConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

/** References whose type is a type variable that a subclass gives. */
class GenericBaseClassTests {

	private static final String NAME = "rpcReference:" + Users.class.getName();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withUserConfiguration(ClientConfiguration.class);

	static Stream<Arguments> bases() {
		return Stream.of(argumentSet("field", ByField.class, access(ByField.class, (each) -> each.service)),
				argumentSet("setter", BySetter.class, access(BySetter.class, (each) -> each.service)),
				argumentSet("provider", ByProvider.class, access(ByProvider.class, (each) -> each.service.getObject())),
				argumentSet("optional", ByOptional.class,
						access(ByOptional.class, (each) -> each.service.orElseThrow())),
				argumentSet("lazy", ByLazy.class, access(ByLazy.class, (each) -> each.service)),
				argumentSet("two levels", TwoLevels.class, access(TwoLevels.class, (each) -> each.service)),
				argumentSet("method with several parameters", ByMethod.class,
						access(ByMethod.class, (each) -> each.service)),
				argumentSet("generic constructor of the base", ByConstructor.class,
						access(ByConstructor.class, (each) -> each.service)),
				argumentSet("second of two variables", SecondVariable.class,
						access(SecondVariable.class, (each) -> each.service)));
	}

	private static <T> Function<Object, Object> access(Class<T> type, Function<T, Object> service) {
		return (bean) -> service.apply(type.cast(bean));
	}

	@ParameterizedTest
	@MethodSource("bases")
	void typeVariable_getsTypeOfSubclass(Class<?> type, Function<Object, Object> service) {
		this.runner.withBean("user", type).run((context) -> {
			assertThat(service.apply(context.getBean("user"))).hasToString(NAME);
			assertThat(context.getBeanNamesForType(RpcReferenceFactoryBean.class)).containsExactly("&" + NAME);
			assertThat(context.getBeanFactory().getDependentBeans(NAME)).contains("user");
			assertThat(context.getBean(RpcClient.class).references()).singleElement()
				.extracting((each) -> each.service().name())
				.isEqualTo(Users.class.getName());
		});
	}

	@Test
	void typeVariable_getsTypeOfSubclass_inConfiguration() {
		this.runner.withUserConfiguration(UserConfiguration.class)
			.run((context) -> assertThat(context.getBean(UserConfiguration.class).service).hasToString(NAME));
	}

	@Test
	void typeVariable_getsTypeOfSubclass_behindProxy() {
		this.runner.withBean(Proxying.class)
			.withBean("user", ByField.class)
			.run((context) -> assertThat(context.getBean(ByField.class).get()).hasToString(NAME));
	}

	@Test
	void typeVariable_withoutSubclass_isRefusedWithItsPlace() {
		this.runner.withBean("user", Unbounded.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("field service of " + Unbounded.class.getName())
				.hasMessageContaining("java.lang.Object")
				.hasMessageContaining("expected: the interface of the service"));
	}

	public interface Crud<T> {

		T get(long id);

	}

	public interface Users extends Crud<String> {

	}

	abstract static class Field<S extends Crud<?>> {

		@RpcReference
		protected S service;

		Object get() {
			return this.service;
		}

	}

	static class ByField extends Field<Users> {

	}

	abstract static class Setter<S extends Crud<?>> {

		S service;

		@RpcReference
		void setService(S service) {
			this.service = service;
		}

	}

	static class BySetter extends Setter<Users> {

	}

	abstract static class Provider<S extends Crud<?>> {

		@RpcReference
		ObjectProvider<S> service;

	}

	static class ByProvider extends Provider<Users> {

	}

	abstract static class Maybe<S> {

		@RpcReference
		Optional<S> service;

	}

	static class ByOptional extends Maybe<Users> {

	}

	abstract static class Late<S extends Crud<?>> {

		@Lazy
		@RpcReference
		S service;

	}

	static class ByLazy extends Late<Users> {

	}

	abstract static class Middle<A, M extends Crud<String>> extends Field<M> {

	}

	static class TwoLevels extends Middle<Integer, Users> {

	}

	abstract static class Method<S extends Crud<?>> {

		S service;

		@Autowired
		void take(@RpcReference S service, ObjectProvider<String> other) {
			this.service = service;
		}

	}

	static class ByMethod extends Method<Users> {

	}

	static class Constructor<S extends Crud<?>> {

		final S service;

		Constructor(S service) {
			this.service = service;
		}

	}

	static class ByConstructor extends Constructor<Users> {

		ByConstructor(@RpcReference Users users) {
			super(users);
		}

	}

	abstract static class Pair<A, B> {

		@RpcReference
		B service;

	}

	static class SecondVariable extends Pair<String, Users> {

	}

	static class Unbounded<S> {

		@RpcReference
		S service;

	}

	@Configuration
	static class UserConfiguration extends Field<Users> {

		@Bean
		String text() {
			return "text";
		}

	}

	static class Proxying implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String name) {
			if (!name.equals("user")) {
				return bean;
			}
			ProxyFactory factory = new ProxyFactory(bean);
			factory.setProxyTargetClass(true);
			return factory.getProxy();
		}

	}

}
