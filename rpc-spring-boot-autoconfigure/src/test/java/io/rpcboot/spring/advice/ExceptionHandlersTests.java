package io.rpcboot.spring.advice;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.Proxy;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.spring.RpcExceptionHandler;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ProxyFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class ExceptionHandlersTests {

	private final ServerInvocation call = (ServerInvocation) Proxy.newProxyInstance(getClass().getClassLoader(),
			new Class<?>[] { ServerInvocation.class }, (self, method, arguments) -> null);

	private Throwable handled(Object bean, Throwable thrown) {
		return new ExceptionHandlers(bean, bean.getClass()).handle(thrown, this.call);
	}

	static class Levels {

		@RpcExceptionHandler
		RpcException io(IOException ex) {
			return new RpcException(RpcStatus.UNAVAILABLE, "io", true);
		}

		@RpcExceptionHandler
		RpcException any(Exception ex) {
			return new RpcException(RpcStatus.INTERNAL, "any", true);
		}

		@RpcExceptionHandler({ IllegalStateException.class, IllegalArgumentException.class })
		Throwable none(RuntimeException ex) {
			return null;
		}

		@RpcExceptionHandler
		void broken(ArithmeticException ex) {
			throw new UnsupportedOperationException("broken");
		}

	}

	@Test
	void handler_isChosenByNearestSuperclass() {
		assertThat(handled(new Levels(), new FileNotFoundException())).hasMessage("io");
		assertThat(handled(new Levels(), new InterruptedException())).hasMessage("any");
		assertThat(handled(new Levels(), new IllegalStateException())).isNull();
		assertThat(handled(new Levels(), new OutOfMemoryError())).isNull();
		assertThat(handled(new Levels(), new ArithmeticException())).hasMessage("broken");
	}

	static class NoException {

		@RpcExceptionHandler
		RpcException handle() {
			return null;
		}

	}

	static class WrongParameter {

		@RpcExceptionHandler
		RpcException handle(Exception ex, String text) {
			return null;
		}

	}

	static class WrongResult {

		@RpcExceptionHandler
		String handle(Exception ex) {
			return "";
		}

	}

	static class TooNarrow {

		@RpcExceptionHandler(Exception.class)
		RpcException handle(IOException ex) {
			return null;
		}

	}

	static class Twice {

		@RpcExceptionHandler
		RpcException one(IOException ex) {
			return null;
		}

		@RpcExceptionHandler(IOException.class)
		RpcException two(Exception ex) {
			return null;
		}

	}

	@Test
	void invalidHandler_failsStartup() {
		assertRefused(new Object(), "has no method with @RpcExceptionHandler");
		assertRefused(new NoException(), "NoException.handle has no parameter for the exception (expected: ");
		assertRefused(new WrongParameter(),
				"WrongParameter.handle has a parameter of type java.lang.String (expected: ");
		assertRefused(new WrongResult(), "WrongResult.handle has the return type java.lang.String (expected: ");
		assertRefused(new TooNarrow(),
				"TooNarrow.handle has a parameter that takes no java.lang.Exception (expected: ");
		assertRefused(new Twice(), "both handle java.io.IOException");
	}

	private static void assertRefused(Object bean, String words) {
		assertThat(refusal(bean, bean.getClass())).hasMessageContaining(words);
	}

	private static Object proxy(Object bean, boolean ofClass) {
		ProxyFactory factory = new ProxyFactory(bean);
		factory.setProxyTargetClass(ofClass);
		return factory.getProxy();
	}

	static class Hidden {

		@RpcExceptionHandler
		private RpcException handle(IOException ex) {
			return new RpcException(RpcStatus.UNAVAILABLE, "hidden", true);
		}

	}

	interface Handler {

		Throwable handle(IOException ex);

	}

	static class Declared implements Handler {

		@Override
		@RpcExceptionHandler
		public Throwable handle(IOException ex) {
			return new RpcException(RpcStatus.UNAVAILABLE, "declared", true);
		}

	}

	static class Undeclared implements Serializable {

		private static final long serialVersionUID = 1L;

		@RpcExceptionHandler
		public Throwable handle(IOException ex) {
			return null;
		}

	}

	@Test
	void handler_isCalled_whenPrivateOrBehindProxy() {
		assertThat(handled(new Hidden(), new IOException())).hasMessage("hidden");
		for (boolean ofClass : new boolean[] { true, false }) {
			assertThat(new ExceptionHandlers(proxy(new Declared(), ofClass), Declared.class).handle(new IOException(),
					this.call))
				.hasMessage("declared");
		}
	}

	@Test
	void handler_failsStartup_whenProxyCannotCallIt() {
		assertThat(refusal(proxy(new Hidden(), true), Hidden.class))
			.hasMessageContaining("Hidden.handle cannot be called through the proxy of its bean")
			.extracting(RpcConfigurationException::action)
			.isEqualTo("Make the method package-private or more.");
		assertThat(refusal(proxy(new Undeclared(), false), Undeclared.class))
			.hasMessageContaining("Undeclared.handle cannot be called")
			.extracting(RpcConfigurationException::action)
			.asString()
			.startsWith("Declare the method in an interface of the class, or");
	}

	private static RpcConfigurationException refusal(Object bean, Class<?> type) {
		return catchThrowableOfType(RpcConfigurationException.class, () -> new ExceptionHandlers(bean, type));
	}

}
