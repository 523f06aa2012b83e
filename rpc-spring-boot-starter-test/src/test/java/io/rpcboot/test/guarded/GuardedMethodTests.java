package io.rpcboot.test.guarded;

import java.util.concurrent.CompletionException;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.test.RpcCaller;
import io.rpcboot.test.RpcTest;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

import org.springframework.context.annotation.Import;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Rules and annotations decide in process as on the wire. */
@RpcTest
@Import(OrderRules.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class GuardedMethodTests {

	@RpcReference
	private Orders orders;

	@RpcReference(protocol = "grpc")
	private Orders overGrpc;

	@Test
	void stranger_isRefused_byRule() {
		assertRefused(RpcStatus.UNAUTHENTICATED, "a client certificate or credentials are needed",
				() -> this.orders.find(7));
		assertRefused(RpcStatus.UNAUTHENTICATED, "a client certificate or credentials are needed",
				() -> this.overGrpc.find(7));
	}

	@Test
	@Order(1)
	void caller_isKnown_toTheMethod(RpcCaller caller) {
		caller.authenticate("ann");
		assertThat(this.orders.find(7)).isEqualTo("order 7");
		assertThat(this.orders.caller()).isEqualTo("ann");
		assertThat(this.overGrpc.caller()).isEqualTo("ann");
		caller.authenticate("bob");
		assertThat(this.orders.caller()).isEqualTo("bob");
		caller.reset();
		assertRefused(RpcStatus.UNAUTHENTICATED, "needed", () -> this.orders.caller());
		caller.authenticate("ann");
	}

	@Test
	@Order(2)
	void caller_isAStranger_afterTheTest() {
		assertRefused(RpcStatus.UNAUTHENTICATED, "needed", () -> this.orders.find(7));
	}

	@Test
	void annotation_decides_byAuthority(RpcCaller caller) {
		caller.authenticate("ann", "SCOPE_read");
		assertRefused(RpcStatus.PERMISSION_DENIED, "the caller may not make this call", () -> this.orders.cancel(7));
		assertRefused(RpcStatus.PERMISSION_DENIED, "the caller may not make this call", () -> this.overGrpc.cancel(7));
		caller.authenticate("ann", "SCOPE_read", "SCOPE_cancel");
		assertThat(this.orders.cancel(7)).isEqualTo("cancelled 7");
		assertThat(this.overGrpc.cancel(7)).isEqualTo("cancelled 7");
	}

	@Test
	void authentication_isThatOfTheTest(RpcCaller caller) {
		caller.authenticate(UsernamePasswordAuthenticationToken.authenticated("eve", null,
				AuthorityUtils.createAuthorityList("SCOPE_cancel")));
		assertThat(this.orders.cancel(7)).isEqualTo("cancelled 7");
		assertThat(this.orders.caller()).isEqualTo("eve");
	}

	@Test
	void rule_decides_byCertificate(RpcCaller caller) {
		caller.certificate("shop");
		assertThat(this.orders.caller()).isEqualTo("shop");
		assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> this.orders.refund(7).join())
			.havingCause()
			.withMessageContaining("caller 'shop' may not call this, or it is not offered");
		caller.certificate("spiffe://acme/desk", "backoffice", "desk.acme");
		assertThat(this.orders.caller()).isEqualTo("spiffe://acme/desk");
		assertThat(this.orders.refund(7).join()).isEqualTo("refunded 7");
		assertThat(this.overGrpc.refund(7).join()).isEqualTo("refunded 7");
	}

	@Test
	void caller_mayHaveBoth_certificateAndCredentials(RpcCaller caller) {
		caller.certificate("backoffice");
		caller.authenticate("ann");
		assertThat(this.orders.caller()).isEqualTo("ann");
		assertThat(this.orders.refund(7).join()).isEqualTo("refunded 7");
		assertRefused(RpcStatus.PERMISSION_DENIED, "may not make this call", () -> this.orders.cancel(7));
		caller.authenticate("ann", "SCOPE_cancel");
		assertThat(this.orders.cancel(7)).isEqualTo("cancelled 7");
		caller.certificate("shop");
		assertThat(this.orders.caller()).isEqualTo("ann");
		assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> this.orders.refund(7).join())
			.withMessageContaining("PERMISSION_DENIED");
	}

	static void assertRefused(RpcStatus status, String message, ThrowingCallable call) {
		assertThatExceptionOfType(RpcException.class).isThrownBy(call)
			.withMessageContaining(message)
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(status))
			.satisfies((ex) -> assertThat(ex.mayHaveExecuted()).isFalse());
	}

}
