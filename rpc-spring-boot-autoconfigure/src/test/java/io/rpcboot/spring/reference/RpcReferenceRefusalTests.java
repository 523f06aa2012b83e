package io.rpcboot.spring.reference;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.reference.RpcReferenceInjectionTests.ClientConfiguration;
import io.rpcboot.spring.reference.RpcReferenceInjectionTests.LocalGreeter;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RpcReferenceRefusalTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withUserConfiguration(ClientConfiguration.class);

	@Test
	void reference_isRejected_whenTypeIsClass() {
		this.runner.withBean(ClassUser.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessage("@RpcReference at field greeter of " + ClassUser.class.getName() + " has type "
						+ LocalGreeter.class.getName()
						+ ", which is not an interface (expected: the interface of the service)")
				.extracting("action")
				.isEqualTo("Use " + Greeter.class.getName() + " instead."));
	}

	@Test
	void reference_isRejected_whenTypeIsClassOfLateObject() {
		this.runner.run((context) -> assertThatExceptionOfType(BeanCreationException.class)
			.isThrownBy(() -> context.getAutowireCapableBeanFactory().autowireBean(new ClassUser()))
			.havingCause()
			.isInstanceOf(RpcConfigurationException.class)
			.withMessageContaining("field greeter of " + ClassUser.class.getName()));
	}

	@Test
	void finalField_isRejected_withoutConstructor() {
		this.runner.withBean(FinalFieldUser.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("@RpcReference on final field 'greeter' of " + FinalFieldUser.class.getName()
						+ " was not set by a constructor"));
	}

	@Test
	void invalidTimeout_isRejected() {
		this.runner.withBean(BadTimeoutUser.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessage("@RpcReference of " + Greeter.class.getName()
						+ " has timeout = \"-1s\" (expected: a positive duration such as 500ms, 2s or PT2S)"));
	}

	@Test
	void invalidWaitForInstance_isRejected() {
		this.runner.withBean(BadWaitUser.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessage("@RpcReference of " + Greeter.class.getName()
						+ " has waitForInstance = \"soon\" (expected: a duration such as 500ms or 2s, 0s to never wait)"));
	}

	@Test
	void invalidProtocol_isRejected() {
		this.runner.withBean(BadProtocolUser.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessage("@RpcReference of " + Greeter.class.getName()
						+ " has protocol = \"http3\" (expected: native or grpc)"));
	}

	@Test
	void invalidGroup_isRejected() {
		this.runner.withBean(BadGroupUser.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageStartingWith("@RpcReference of " + Greeter.class.getName() + ": group: ' '"));
	}

	@Test
	void interface_isRejected_unlessPublic() {
		this.runner.withBean(HiddenGreeterUser.class)
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("is not public"));
	}

	@Test
	void staticField_isRejected() {
		String message = "@RpcReference at field greeter of " + StaticFieldUser.class.getName()
				+ ", which is static (expected: a member of an object, or a parameter)";
		this.runner.withBean(StaticFieldUser.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessage(message)
				.extracting("action")
				.isEqualTo("Make it not static, or take the reference as a constructor parameter."));
		this.runner.run((context) -> assertThatExceptionOfType(BeanCreationException.class)
			.isThrownBy(() -> context.getAutowireCapableBeanFactory().autowireBean(new StaticFieldUser()))
			.havingCause()
			.isInstanceOf(RpcConfigurationException.class)
			.withMessage(message));
	}

	@Test
	void staticSetter_isRejected() {
		this.runner.withBean(StaticSetterUser.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessage("@RpcReference at method setGreeter of " + StaticSetterUser.class.getName()
						+ ", which is static (expected: a member of an object, or a parameter)"));
	}

	@Test
	void beanMethod_isRejected() {
		this.runner.withUserConfiguration(BeanMethodUser.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessage("@RpcReference at method greeter of " + BeanMethodUser.class.getName()
						+ ", which is a @Bean method (expected: a field, a setter or a parameter)")
				.extracting("action")
				.isEqualTo("Remove the method; a reference needs no bean. Put @RpcReference where the service is"
						+ " used, or on a parameter of a @Bean method that creates another bean from it."));
	}

	static class StaticFieldUser {

		@RpcReference
		static Greeter greeter;

	}

	static class StaticSetterUser {

		@RpcReference
		static void setGreeter(Greeter greeter) {
			throw new AssertionError("not called: " + greeter);
		}

	}

	static class BeanMethodUser {

		@Bean
		@RpcReference
		Greeter greeter() {
			return new LocalGreeter();
		}

	}

	static class ClassUser {

		@RpcReference
		private LocalGreeter greeter;

	}

	static class FinalFieldUser {

		@RpcReference
		private final Greeter greeter = null;

	}

	static class BadTimeoutUser {

		@RpcReference(timeout = "-1s")
		private Greeter greeter;

	}

	static class BadWaitUser {

		@RpcReference(waitForInstance = "soon")
		private Greeter greeter;

	}

	static class BadProtocolUser {

		@RpcReference(protocol = "http3")
		private Greeter greeter;

	}

	static class BadGroupUser {

		@RpcReference(group = " ")
		private Greeter greeter;

	}

	interface HiddenGreeter {

		String greet(String name);

	}

	static class HiddenGreeterUser {

		@RpcReference
		private HiddenGreeter greeter;

	}

}
