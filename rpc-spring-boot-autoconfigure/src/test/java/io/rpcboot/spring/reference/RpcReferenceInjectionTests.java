package io.rpcboot.spring.reference;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.rpcboot.client.RpcClient;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.lifecycle.RpcReferenceConfiguration;
import jakarta.inject.Provider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.OverridingClassLoader;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

class RpcReferenceInjectionTests {

	private static final String NAME = "rpcReference:" + Greeter.class.getName();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withUserConfiguration(ClientConfiguration.class);

	@Test
	void reference_isInjected_intoField() {
		this.runner.withBean(FieldUser.class).run((context) -> {
			FieldUser user = context.getBean(FieldUser.class);
			assertThat(user.plain).hasToString(NAME);
			assertThat(user.versioned).hasToString(NAME + ":2@eu");
			assertThat(context).hasBean(NAME).hasBean(NAME + ":2@eu");
		});
	}

	@Test
	void reference_isInjected_intoFieldOfSuperclass() {
		this.runner.withBean(FieldUserChild.class)
			.run((context) -> assertThat(context.getBean(FieldUserChild.class).plain).hasToString(NAME));
	}

	@Test
	void reference_isInjected_intoSetter() {
		this.runner.withBean(SetterUser.class)
			.run((context) -> assertThat(context.getBean(SetterUser.class).greeter).hasToString(NAME + ":3"));
	}

	@Test
	void reference_isInjected_intoConstructorParameter() {
		this.runner.withBean(ConstructorUser.class).run((context) -> {
			ConstructorUser user = context.getBean(ConstructorUser.class);
			assertThat(user.plain).hasToString(NAME);
			assertThat(user.slow).hasToString(NAME + "?timeout=30s?waitForInstance=5s?protocol=grpc");
		});
	}

	@Test
	void reference_isInjected_intoRecordComponent() {
		this.runner.withBean(RecordUser.class)
			.run((context) -> assertThat(context.getBean(RecordUser.class).greeter()).hasToString(NAME + ":5"));
	}

	@Test
	void reference_isInjected_throughLombokStyleConstructor() {
		this.runner.withBean(LombokStyleUser.class)
			.run((context) -> assertThat(context.getBean(LombokStyleUser.class).greeter).hasToString(NAME + ":6"));
	}

	@Test
	void reference_isInjected_asOptionalProviderOrLazy() {
		this.runner.withBean(WrapperUser.class).run((context) -> {
			WrapperUser user = context.getBean(WrapperUser.class);
			assertThat(user.optional.orElseThrow()).hasToString(NAME + ":7");
			assertThat(user.provider.getObject()).hasToString(NAME + ":8");
			assertThat(user.lazy.toString()).isEqualTo(NAME + ":9");
			assertThat(context).hasBean(NAME + ":7").hasBean(NAME + ":8").hasBean(NAME + ":9");
		});
	}

	@Test
	void reference_isInjected_asJakartaProvider() {
		this.runner.withBean(ProviderUser.class).run((context) -> {
			assertThat(context.getBean(ProviderUser.class).provider.get()).hasToString(NAME + ":11");
			assertThat(context.getBean(RpcClient.class).references()).hasSize(1);
		});
	}

	@Test
	void reference_isInjected_intoBeanMethodParameter() {
		this.runner.withUserConfiguration(BeanMethods.class).run((context) -> {
			assertThat(context.getBean(Made.class).greeter()).hasToString(NAME + ":10");
			assertThat(context).hasBean(NAME + ":10");
		});
	}

	@Test
	void reference_isInjected_whenBeanClassIsHidden() {
		this.runner.withUserConfiguration(BeanMethods.class)
			.run((context) -> assertThat(((FieldUser) context.getBean("hidden")).plain).hasToString(NAME));
	}

	@Test
	void reference_isInjected_intoObjectOutsideContext() {
		this.runner.run((context) -> {
			FieldUser user = new FieldUser();
			context.getAutowireCapableBeanFactory().autowireBean(user);
			assertThat(user.plain).hasToString(NAME);
			ConstructorUser created = context.getBeanFactory().createBean(ConstructorUser.class);
			assertThat(created.plain).isSameAs(user.plain);
		});
	}

	@Test
	void equalReferences_shareBean() {
		this.runner.withBean(FieldUser.class)
			.withBean(ConstructorUser.class)
			.run((context) -> assertThat(context.getBean(FieldUser.class).plain)
				.isSameAs(context.getBean(ConstructorUser.class).plain));
	}

	@Test
	void localBeanAndReference_coexist() {
		this.runner.withBean(LocalGreeter.class).withBean(LocalAndRemoteUser.class).run((context) -> {
			LocalAndRemoteUser user = context.getBean(LocalAndRemoteUser.class);
			assertThat(user.local).isInstanceOf(LocalGreeter.class);
			assertThat(user.remote).hasToString(NAME);
			assertThat(user.all).containsExactly(user.local);
		});
	}

	@Test
	void reference_isInjected_intoBeanPostProcessor() {
		this.runner.withUserConfiguration(EarlyBean.class)
			.run((context) -> assertThat(context.getBean(EarlyPostProcessor.class).greeter).hasToString(NAME));
	}

	@Test
	void reference_isInjected_intoCircularBeans() {
		this.runner.withBean(CircleA.class)
			.withBean(CircleB.class)
			.run((context) -> assertThat(context.getBean(CircleA.class).greeter)
				.isSameAs(context.getBean(CircleB.class).greeter));
	}

	@Test
	void reference_isInjected_withLazyInitialization() {
		this.runner
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.withBean(FieldUser.class)
			.run((context) -> assertThat(context.getBean(FieldUser.class).plain).hasToString(NAME));
	}

	@Test
	void classes_areSkipped_whenTheyNeedMissingTypes() {
		this.runner
			.withInitializer((context) -> Stream.of(LibraryField.class, LibraryMethod.class, LibraryConstructor.class)
				.forEach((type) -> ((BeanDefinitionRegistry) context).registerBeanDefinition(type.getSimpleName(),
						BeanDefinitionBuilder.rootBeanDefinition(withoutLibrary(type))
							.setLazyInit(true)
							.getBeanDefinition())))
			.withBean(FieldUser.class)
			.run((context) -> assertThat(context.getBean(FieldUser.class).plain).hasToString(NAME));
	}

	private static Class<?> withoutLibrary(Class<?> type) {
		return ClassUtils.resolveClassName(type.getName(),
				new OverridingClassLoader(new FilteredClassLoader(Library.class)) {

					@Override
					protected boolean isEligibleForOverriding(String name) {
						return name.equals(type.getName());
					}

				});
	}

	@Test
	void references_areConnected_atStartup() {
		this.runner.withBean(FieldUser.class)
			.run((context) -> assertThat(context.getBean(RpcClient.class).references())
				.extracting((reference) -> reference.service().toString())
				.containsExactlyInAnyOrder(Greeter.class.getName(), Greeter.class.getName() + ":2@eu"));
	}

	@Configuration(proxyBeanMethods = false)
	static class ClientConfiguration extends RpcReferenceConfiguration {

		@Bean
		RpcClient rpcClient() {
			return RpcClient.builder().registry(new InMemoryRegistry()).build();
		}

	}

	interface Library {

	}

	static class LibraryField {

		@Nullable Library library;

	}

	static class LibraryMethod {

		void setLibrary(Library library) {
		}

	}

	static class LibraryConstructor {

		LibraryConstructor(Library library) {
		}

	}

	static class FieldUser {

		@RpcReference
		Greeter plain;

		@RpcReference(version = "2", group = "eu")
		private Greeter versioned;

	}

	static class FieldUserChild extends FieldUser {

	}

	static class SetterUser {

		private Greeter greeter;

		@RpcReference(version = "3")
		void setGreeter(Greeter greeter) {
			this.greeter = greeter;
		}

	}

	static class ConstructorUser {

		private final Greeter plain;

		private final Greeter slow;

		ConstructorUser(@RpcReference Greeter plain,
				@RpcReference(timeout = "30s", waitForInstance = "5s", protocol = "grpc") Greeter slow) {
			this.plain = plain;
			this.slow = slow;
		}

	}

	record RecordUser(@RpcReference(version = "5") Greeter greeter) {
	}

	static class LombokStyleUser {

		@RpcReference(version = "6")
		private final Greeter greeter;

		LombokStyleUser(Greeter greeter) {
			this.greeter = greeter;
		}

	}

	static class WrapperUser {

		private final Optional<Greeter> optional;

		private final ObjectProvider<Greeter> provider;

		private final Greeter lazy;

		WrapperUser(@RpcReference(version = "7") Optional<Greeter> optional,
				@RpcReference(version = "8") ObjectProvider<Greeter> provider,
				@Lazy @RpcReference(version = "9") Greeter lazy) {
			this.optional = optional;
			this.provider = provider;
			this.lazy = lazy;
		}

	}

	static class ProviderUser {

		private final Provider<Greeter> provider;

		ProviderUser(@RpcReference(version = "11") Provider<Greeter> provider) {
			this.provider = provider;
		}

	}

	record Made(Greeter greeter) {
	}

	@Configuration(proxyBeanMethods = false)
	static class BeanMethods {

		@Bean
		Made made(@RpcReference(version = "10") Greeter greeter) {
			return new Made(greeter);
		}

		@Bean
		Object hidden() {
			return new FieldUser();
		}

	}

	static class LocalGreeter implements Greeter {

		@Override
		public String greet(String name) {
			return "local " + name;
		}

	}

	static class LocalAndRemoteUser {

		@Autowired
		private Greeter local;

		@RpcReference
		private Greeter remote;

		@Autowired
		private List<Greeter> all;

	}

	static class EarlyPostProcessor implements BeanPostProcessor {

		@RpcReference
		private Greeter greeter;

	}

	@Configuration(proxyBeanMethods = false)
	static class EarlyBean {

		@Bean
		static EarlyPostProcessor earlyPostProcessor() {
			return new EarlyPostProcessor();
		}

	}

	static class CircleA {

		@RpcReference
		private Greeter greeter;

		CircleA(@Lazy CircleB other) {
		}

	}

	static class CircleB {

		@RpcReference
		private Greeter greeter;

		@Autowired
		private CircleA other;

	}

}
