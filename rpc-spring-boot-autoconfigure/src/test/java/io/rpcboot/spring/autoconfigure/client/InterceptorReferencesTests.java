package io.rpcboot.spring.autoconfigure.client;

import io.rpcboot.interceptor.ClientInvocation;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.Applications.GreeterService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** Interceptors that call services themselves. */
class InterceptorReferencesTests {

	private final ApplicationContextRunner runner = Applications.inProcess();

	@Test
	void interceptor_mayHaveReferences_onEachSide() {
		this.runner.withBean(GreeterService.class)
			.withBean(Gate.class)
			.withBean(TokenInterceptor.class)
			.withBean(GateInterceptor.class)
			.withBean(User.class)
			.run((context) -> {
				assertThat(context.getBean(User.class).greeter.greet("Ann")).isEqualTo("Hello Ann");
				assertThat(context.getBean(GateInterceptor.class).seen).isEqualTo("token of Ann is right");
			});
	}

	public interface Tokens {

		String token(String name);

		boolean isRight(String token);

	}

	@RpcService
	static class Gate implements Tokens {

		@Override
		public String token(String name) {
			return "token of " + name;
		}

		@Override
		public boolean isRight(String token) {
			return token.startsWith("token of ");
		}

	}

	/** Asks another service for what it sends along. */
	static class TokenInterceptor implements RpcClientInterceptor {

		private final Tokens tokens;

		TokenInterceptor(@RpcReference Tokens tokens) {
			this.tokens = tokens;
		}

		@Override
		public @Nullable Object intercept(ClientInvocation call) throws Throwable {
			if (!call.method().service().name().equals(Tokens.class.getName())) {
				call.attachments().put("token", this.tokens.token((String) call.arguments()[0]));
			}
			return call.proceed();
		}

	}

	/** Asks another service about what has come. */
	static class GateInterceptor implements RpcServerInterceptor {

		@RpcReference
		private Tokens tokens;

		private String seen = "";

		@Override
		public @Nullable Object intercept(ServerInvocation call) throws Throwable {
			String token = call.attachments().get("token");
			if (token != null) {
				this.seen = token + " is " + (this.tokens.isRight(token) ? "right" : "wrong");
			}
			return call.proceed();
		}

	}

	static class User {

		@RpcReference
		private Greeter greeter;

	}

}
