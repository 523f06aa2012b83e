package io.rpcboot.spring.reference;

import java.util.function.BiFunction;
import java.util.stream.Stream;

import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.reference.RpcReferenceInjectionTests.ClientConfiguration;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.beans.factory.wiring.BeanConfigurerSupport;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.validation.beanvalidation.SpringConstraintValidatorFactory;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.context.support.SpringBeanAutowiringSupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

/** Objects that Spring, or a library with Spring, injects although they are no beans. */
class InjectedObjectsTests {

	private static final String NAME = "rpcReference:" + Greeter.class.getName();

	static Stream<Arguments> ways() {
		return Stream.of(way("autowireBean", (context, factory) -> {
			User user = new User();
			factory.autowireBean(user);
			return user;
		}), way("autowireBeanProperties, as Cucumber and Spring's tests do", (context, factory) -> {
			User user = new User();
			factory.autowireBeanProperties(user, AutowireCapableBeanFactory.AUTOWIRE_NO, false);
			return user;
		}), way("createBean, as the factories of Hibernate, Jackson and WebSocket endpoints do",
				(context, factory) -> factory.createBean(User.class)),
				way("autowire by type",
						(context,
								factory) -> (User) factory.autowire(User.class,
										AutowireCapableBeanFactory.AUTOWIRE_BY_TYPE, false)),
				way("autowire and initialize, as Quartz does", (context, factory) -> {
					User user = new User();
					factory.autowireBean(user);
					return (User) factory.initializeBean(user, "job");
				}), way("configureBean by a prototype", (context, factory) -> {
					context.registerBeanDefinition("user", prototype());
					return (User) factory.configureBean(new User(), "user");
				}), way("@Configurable by AspectJ", (context, factory) -> {
					context.registerBeanDefinition(User.class.getName(), prototype());
					BeanConfigurerSupport support = new BeanConfigurerSupport();
					support.setBeanFactory(context.getBeanFactory());
					support.afterPropertiesSet();
					User user = new User();
					support.configureBean(user);
					return user;
				}),
				way("validators",
						(context,
								factory) -> new SpringConstraintValidatorFactory(factory)
									.getInstance(Validating.class).user),
				way("a bean with a supplier", (context, factory) -> {
					context.registerBean("supplied", User.class, User::new);
					return context.getBean("supplied", User.class);
				}), way("a bean of an unknown class", (context, factory) -> {
					context.registerBean("hidden", Object.class, User::new);
					return (User) context.getBean("hidden");
				}));
	}

	private static Arguments way(String name,
			BiFunction<GenericApplicationContext, AutowireCapableBeanFactory, User> way) {
		return argumentSet(name, way);
	}

	private static RootBeanDefinition prototype() {
		RootBeanDefinition definition = new RootBeanDefinition(User.class);
		definition.setScope(RootBeanDefinition.SCOPE_PROTOTYPE);
		return definition;
	}

	@ParameterizedTest
	@MethodSource("ways")
	void members_areInjected_intoObjectsOutsideContext(
			BiFunction<GenericApplicationContext, AutowireCapableBeanFactory, User> way) {
		new ApplicationContextRunner().withUserConfiguration(ClientConfiguration.class).run((context) -> {
			User user = way.apply((GenericApplicationContext) context.getSourceApplicationContext(),
					context.getAutowireCapableBeanFactory());
			assertThat(user.field).hasToString(NAME);
			assertThat(user.inherited).hasToString(NAME + ":2");
			assertThat(user.bySetter).hasToString(NAME + ":3");
		});
	}

	@Test
	void springBeanAutowiringSupport_injectsReferences_withAutowired() {
		new WebApplicationContextRunner().withUserConfiguration(ClientConfiguration.class).run((context) -> {
			WebApplicationContext web = (WebApplicationContext) context.getSourceApplicationContext();
			web.getServletContext().setAttribute(WebApplicationContext.ROOT_WEB_APPLICATION_CONTEXT_ATTRIBUTE, web);
			LegacyServlet servlet = new LegacyServlet();
			SpringBeanAutowiringSupport.processInjectionBasedOnServletContext(servlet, web.getServletContext());
			assertThat(servlet.greeter).hasToString(NAME);
		});
	}

	static class Base<S> {

		@RpcReference(version = "2")
		S inherited;

	}

	static class User extends Base<Greeter> {

		@RpcReference
		private Greeter field;

		private Greeter bySetter;

		@RpcReference(version = "3")
		void setBySetter(Greeter greeter) {
			this.bySetter = greeter;
		}

	}

	static class Validating implements ConstraintValidator<Deprecated, String> {

		private final User user = new User();

		Validating(AutowireCapableBeanFactory factory, @RpcReference Greeter greeter) {
			factory.autowireBean(this.user);
			assertThat(greeter).isSameAs(this.user.field);
		}

		@Override
		public boolean isValid(String value, ConstraintValidatorContext context) {
			return true;
		}

	}

	static class LegacyServlet {

		@Autowired
		@RpcReference
		private Greeter greeter;

	}

}
