package io.rpcboot.test.context;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.test.RpcTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Calls of a slice pass what those of the application pass. */
@RpcTest(components = Tenant.class, properties = {
		"rpc.server.services.Invoices.interceptors=authenticationInterceptor", "rpc.client.retry.max-attempts=1" })
class InvoicesTests {

	@RpcReference
	private Invoices invoices;

	@Autowired
	private Tenant tenant;

	@Test
	void interceptorsOfApplication_applyInSlice() {
		this.tenant.token = "wrong";
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> this.invoices.print(7, null))
			.matches((ex) -> ex.status() == RpcStatus.UNAUTHENTICATED);
		this.tenant.token = "right";
		assertThat(this.invoices.print(7, null)).isEqualTo("page 1 page 2 page 3");
	}

	@Test
	void advice_determinesFailureOfCall() {
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> this.invoices.fail("missing"))
			.matches((ex) -> ex.status() == RpcStatus.NOT_FOUND);
	}

	@Test
	void otherComponents_areAbsent(@Autowired ApplicationContext context) {
		assertThat(context.getBeanNamesForType(InvoiceClient.class)).isEmpty();
	}

}
