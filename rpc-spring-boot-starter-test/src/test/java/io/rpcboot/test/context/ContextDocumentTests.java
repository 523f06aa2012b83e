package io.rpcboot.test.context;

import java.util.Map;
import java.util.concurrent.ExecutionException;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Tests the examples of docs/context.md. */
@SpringBootTest(classes = ContextApplication.class,
		properties = { "rpc.client.references.invoices.methods.millisLeft.timeout=9s",
				"rpc.client.retry.max-attempts=1", "spring.main.web-application-type=none" })
class ContextDocumentTests {

	@Autowired
	private InvoiceClient client;

	@Autowired
	private InvoiceService service;

	@Autowired
	private AuditInterceptor audit;

	@Autowired
	private Tenant tenant;

	@BeforeEach
	void reset() {
		this.tenant.token = "right";
		this.service.failures.set(0);
		this.audit.log.clear();
	}

	@Test
	void attachments_areCarriedBothWays() throws Exception {
		assertThat(this.client.find(7)).isEqualTo("invoice 7 of acme");
		assertThat(this.client.source(7)).isEqualTo("archive");
		assertThat(this.client.invoices().findLater(8).get()).isEqualTo("invoice 8 of acme");
		assertThat(this.client.findAfter(7, 8).get()).isEqualTo("invoice 8 of acme");
	}

	@Test
	void call_isRejectedBeforeAudit_withoutValidToken() {
		this.tenant.token = "wrong";
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> this.client.invoices().print(7, null))
			.matches((ex) -> ex.status() == RpcStatus.UNAUTHENTICATED && !ex.mayHaveExecuted())
			.withMessageContaining("no valid token");
		assertThat(this.audit.log).isEmpty();
	}

	@Test
	void audit_hasOneLinePerCall() {
		assertThat(this.client.invoices().print(7, null)).isEqualTo("page 1 page 2 page 3");
		await().until(() -> !this.audit.log.isEmpty());
		assertThat(this.audit.log).singleElement()
			.asString()
			.startsWith("acme called print from ")
			.contains(": OK in PT");
	}

	@Test
	void idempotentCall_isRetried() throws Exception {
		this.service.failures.set(2);
		assertThat(this.client.find(7)).isEqualTo("invoice 7 of acme");
		this.service.failures.set(3);
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> this.client.find(7))
			.matches((ex) -> ex.status() == RpcStatus.UNAVAILABLE);
	}

	@Test
	void advice_determinesFailureOfCall() {
		Invoices invoices = this.client.invoices();
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> invoices.fail("missing"))
			.matches((ex) -> ex.status() == RpcStatus.NOT_FOUND && ex.mayHaveExecuted())
			.withMessageContaining("there is no such invoice");
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> invoices.fail("denied"))
			.matches((ex) -> ex.status() == RpcStatus.PERMISSION_DENIED)
			.satisfies((ex) -> assertThat(ex.replyAttachments()).containsExactly(Map.entry("tenant", "acme")));
		assertThatExceptionOfType(InvoiceException.class).isThrownBy(() -> invoices.fail("declared"))
			.withMessage("sum");
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> invoices.fail("other"))
			.matches((ex) -> ex.status() == RpcStatus.APPLICATION)
			.withMessageContaining("java.lang.IllegalStateException: its text and stack trace are in the server's log");
	}

	@Test
	void advice_determinesFailureOfFuture() throws Exception {
		Invoices invoices = this.client.invoices();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> invoices.failLater("missing").get())
			.withCauseInstanceOf(RpcException.class)
			.matches((ex) -> ex.getCause() instanceof RpcException cause && cause.status() == RpcStatus.NOT_FOUND);
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> invoices.failLater("declared").get())
			.withCauseInstanceOf(InvoiceException.class);
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> invoices.failLater("other").get())
			.matches((ex) -> ex.getCause() instanceof RpcException cause && cause.status() == RpcStatus.APPLICATION);
	}

	@Test
	void fallback_answers_withoutInstance() {
		assertThat(this.client.prices().of("nut")).isEqualTo("list price of nut");
	}

	@Test
	void timeoutProperty_overridesAnnotation() {
		assertThat(this.client.invoices().millisLeft()).isBetween(1L, 9000L);
	}

}
