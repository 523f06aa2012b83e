package io.rpcboot.spring.service;

import java.io.Serializable;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.reference.ReferenceDefinitions;
import io.rpcboot.spring.reference.ReferenceKey;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.annotation.MergedAnnotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class RpcServiceExporterTests {

	private static final AtomicInteger created = new AtomicInteger();

	@BeforeEach
	void reset() {
		created.set(0);
	}

	@Test
	void onlyInterface_isOffered() {
		assertThat(export(Plain.class)).containsExactly(Greeter.class.getName());
	}

	@Test
	void versionAndGroup_areTakenFromAnnotation() {
		assertThat(export(Versioned.class)).containsExactly(Greeter.class.getName() + ":2@eu");
	}

	@Test
	void namedInterfaces_areOffered() {
		assertThat(export(Named.class)).containsExactlyInAnyOrder(Greeter.class.getName(), Counter.class.getName());
	}

	@Test
	void extendedInterface_isLeftOut() {
		assertThat(export(Child.class)).containsExactly(LoudGreeter.class.getName());
	}

	@Test
	void beanMethod_isOffered() {
		assertThat(export(BeanMethod.class)).containsExactly(Greeter.class.getName());
	}

	@Test
	void scopedBean_isOfferedOnce() {
		assertThat(export(Scoped.class)).containsExactly(Greeter.class.getName());
	}

	@Test
	void scopedProxy_isOfferedWithAnnotationOfTarget() {
		assertThat(export(ScopedBeanMethod.class)).containsExactly(Greeter.class.getName() + ":5");
		assertThat(export(ScopedInterfaces.class)).containsExactly(Greeter.class.getName() + ":6");
	}

	@Test
	void export_createsNoBean() {
		assertThat(export(LazyGreeter.class)).containsExactly(Greeter.class.getName());
		assertThat(created).hasValue(0);
	}

	@Test
	void export_isEmpty_withoutServices() {
		assertThat(export()).isEmpty();
	}

	@Test
	void bean_isRejected_withoutInterface() {
		RpcConfigurationException ex = refused(None.class);
		assertThat(ex).hasMessage("@RpcService bean 'rpcServiceExporterTests.None' of class " + None.class.getName()
				+ " implements no interface");
		assertThat(ex.action()).isEqualTo("Let None implement the interface of the service.");
	}

	@Test
	void bean_isRejected_withTwoInterfaces() {
		RpcConfigurationException ex = refused(Two.class);
		assertThat(ex).hasMessage("@RpcService bean 'rpcServiceExporterTests.Two' of class " + Two.class.getName()
				+ " implements 2 interfaces: " + Counter.class.getName() + ", " + Greeter.class.getName());
		assertThat(ex.action()).isEqualTo("Choose those to offer: @RpcService(interfaces = Counter.class).");
	}

	@Test
	void interface_isRejected_unlessPublic() {
		assertThat(refused(PackagePrivate.class)).hasMessageContaining("'rpcServiceExporterTests.PackagePrivate'")
			.hasMessageContaining(Hidden.class.getName())
			.hasMessageContaining("is not public");
	}

	@Test
	void interface_isRejected_unlessBeanImplementsIt() {
		assertThat(refused(Foreign.class)).hasMessageContaining("does not implement " + Counter.class.getName());
	}

	@Test
	void class_isRejected_asInterface() {
		assertThat(refused(NamedClass.class)).hasMessageContaining("is a class (expected: an interface)");
	}

	@Test
	void blankGroup_isRejected() {
		assertThat(refused(BlankGroup.class)).hasMessageContaining("group: ' ' (expected: letters, digits");
	}

	@Test
	void service_isRejected_whenTwoBeansOfferIt() {
		assertThat(refused(Plain.class, Other.class)).hasMessage("Service " + Greeter.class.getName()
				+ " is offered by two beans, 'rpcServiceExporterTests.Plain' and 'rpcServiceExporterTests.Other'");
	}

	@Test
	void annotation_isRejected_onInterface() {
		RpcConfigurationException ex = refused(Fallback.class);
		assertThat(ex).hasMessage("@RpcService is on the interface " + Annotated.class.getName()
				+ ", so bean 'rpcServiceExporterTests.Fallback' of class " + Fallback.class.getName()
				+ " would be offered like every other bean that implements it");
		assertThat(ex.action()).isEqualTo(
				"Remove @RpcService from Annotated and put it on the class to offer, " + "or on its @Bean method.");
		assertThat(refused(AnnotatedBeanMethodWithoutOwn.class)).hasMessageStartingWith(
				"@RpcService is on the interface " + Annotated.class.getName() + ", so bean 'annotated'");
	}

	@Test
	void classOrMethodAnnotation_overridesInterfaceAnnotation() {
		assertThat(export(Own.class)).containsExactly(Annotated.class.getName() + ":3");
		assertThat(export(AnnotatedBeanMethod.class)).containsExactly(Annotated.class.getName() + ":4");
	}

	@Test
	void reference_isNotOffered_whenItsInterfaceIsAnnotated() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Own.class)) {
			ReferenceDefinitions.register(context.getDefaultListableBeanFactory(),
					ReferenceKey.of(Annotated.class, MergedAnnotation.of(RpcReference.class)), "a field");
			RpcServiceExporter exporter = new RpcServiceExporter(context.getBeanFactory());
			assertThat(context.getBeanNamesForAnnotation(RpcService.class)).hasSize(2);
			RpcServerBuilder builder = RpcServer.builder();
			exporter.export(builder, (services) -> services);
			try (RpcServer server = builder.build()) {
				assertThat(server.services()).singleElement()
					.extracting((service) -> service.service().toString())
					.isEqualTo(Annotated.class.getName() + ":3");
			}
			assertThat(exporter.serviceIds()).singleElement().asString().isEqualTo(Annotated.class.getName() + ":3");
		}
	}

	@Test
	void failures_areReportedTogether() {
		RpcConfigurationException ex = refused(None.class, Two.class);
		assertThat(ex.getMessage().lines()).hasSize(2);
		assertThat(ex.action().lines()).hasSize(2);
	}

	private static List<String> export(Class<?>... beans) {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			for (Class<?> bean : beans) {
				context.register(bean);
			}
			context.refresh();
			RpcServerBuilder builder = RpcServer.builder();
			new RpcServiceExporter(context.getBeanFactory()).export(builder, (services) -> services);
			try (RpcServer server = builder.build()) {
				return server.services().stream().map((service) -> service.service().toString()).toList();
			}
		}
	}

	private static RpcConfigurationException refused(Class<?>... beans) {
		return catchThrowableOfType(RpcConfigurationException.class, () -> export(beans));
	}

	public interface Counter {

		int count();

	}

	public interface LoudGreeter extends Greeter {

	}

	@RpcService(version = "9")
	public interface Annotated {

		int count();

	}

	interface Hidden {

		void hide();

	}

	@RpcService
	static class Plain implements Greeter, Serializable {

		private static final long serialVersionUID = 1L;

		@Override
		public String greet(String name) {
			return "plain " + name;
		}

	}

	@RpcService
	static class Other extends Plain {

		private static final long serialVersionUID = 1L;

	}

	@RpcService(version = "2", group = "eu")
	static class Versioned extends Plain {

		private static final long serialVersionUID = 1L;

	}

	@RpcService(group = " ")
	static class BlankGroup extends Plain {

		private static final long serialVersionUID = 1L;

	}

	@RpcService
	static class Child extends Plain implements LoudGreeter {

		private static final long serialVersionUID = 1L;

	}

	@RpcService
	@Lazy
	static class LazyGreeter extends Plain {

		private static final long serialVersionUID = 1L;

		LazyGreeter() {
			created.incrementAndGet();
		}

	}

	@RpcService(interfaces = { Greeter.class, Counter.class })
	static class Named extends Plain implements Counter {

		private static final long serialVersionUID = 1L;

		@Override
		public int count() {
			return 1;
		}

	}

	static class Fallback implements Annotated {

		@Override
		public int count() {
			return 0;
		}

	}

	@RpcService(version = "3")
	static class Own extends Fallback {

	}

	@Configuration(proxyBeanMethods = false)
	static class AnnotatedBeanMethod {

		@Bean
		@RpcService(version = "4")
		Annotated annotated() {
			return new Fallback();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AnnotatedBeanMethodWithoutOwn {

		@Bean
		Annotated annotated() {
			return new Fallback();
		}

	}

	@RpcService
	static class None {

	}

	@RpcService
	static class Two extends Plain implements Counter {

		private static final long serialVersionUID = 1L;

		@Override
		public int count() {
			return 1;
		}

	}

	@RpcService
	static class PackagePrivate implements Hidden {

		@Override
		public void hide() {
		}

	}

	@RpcService(interfaces = Counter.class)
	static class Foreign extends Plain {

		private static final long serialVersionUID = 1L;

	}

	@RpcService(interfaces = Plain.class)
	static class NamedClass extends Plain {

		private static final long serialVersionUID = 1L;

	}

	@Configuration(proxyBeanMethods = false)
	static class BeanMethod {

		@Bean
		@RpcService
		Greeter greeter() {
			return new Plain();
		}

	}

	@RpcService
	@Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
	static class Scoped extends Plain {

		private static final long serialVersionUID = 1L;

	}

	@Configuration(proxyBeanMethods = false)
	static class ScopedBeanMethod {

		@Bean
		@RpcService(version = "5")
		@Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
		Greeter greeter() {
			return new Plain();
		}

	}

	@RpcService(version = "6")
	@Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.INTERFACES)
	static class ScopedInterfaces extends Plain {

		private static final long serialVersionUID = 1L;

	}

}
