package io.rpcboot.test.guarded;

import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallOptions;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.test.RpcCaller;
import io.rpcboot.test.RpcTest;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;

import static io.rpcboot.test.guarded.GuardedMethodTests.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

/** Without rules, lists and authenticator only annotations decide. */
@RpcTest
class AnnotationAloneTests {

	@RpcReference
	private Orders orders;

	@TestConfiguration(proxyBeanMethods = false)
	@EnableMethodSecurity
	static class Annotations {

	}

	@Test
	void stranger_mayCall_whatHasNoAnnotation() {
		assertThat(this.orders.find(7)).isEqualTo("order 7");
		assertThat(this.orders.caller()).isEqualTo("anonymous");
	}

	@Test
	void stranger_isRefused_byAnnotation() {
		assertRefused(RpcStatus.UNAUTHENTICATED, "the call needs a caller that has proved its identity",
				() -> this.orders.cancel(7));
	}

	/** They are for an interceptor of the application. */
	@Test
	void credentialsOfTheCall_areAnAttachment_withoutAuthenticator() throws Exception {
		assertThat(CallOptions.with("authorization", "Token x").call(this.orders::caller)).isEqualTo("anonymous");
	}

	@Test
	void caller_isLetIn_byAuthority(RpcCaller caller) {
		caller.authenticate("ann", "SCOPE_cancel");
		assertThat(this.orders.cancel(7)).isEqualTo("cancelled 7");
	}

}
