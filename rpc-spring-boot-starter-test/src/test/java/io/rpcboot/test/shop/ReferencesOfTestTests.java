package io.rpcboot.test.shop;

import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.test.RpcTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** References that only the test has: no bean of the slice does. */
@ExtendWith(OutputCaptureExtension.class)
@RpcTest(properties = { "rpc.client.references.shelf.timeout=21s", "rpc.client.references.cellar.timeout=22s",
		"rpc.client.services.Stock.wait-for-instance=0s", "rpc.client.warm-up=0s" })
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ReferencesOfTestTests {

	@RpcReference(name = "shelf")
	private Stock stock;

	@Autowired
	private RpcClient client;

	@Test
	@Order(1)
	void references_areConnected_beforeFirstTest() {
		assertThat(this.client.references()).isNotEmpty().allMatch(ReferenceInfo::isReady);
		assertThat(this.stock.available("chair")).isEqualTo(5);
	}

	@Test
	void namesOfReferences_areKnown(CapturedOutput output) {
		assertThat(output).doesNotContain("expected: the name of a reference");
	}

	@Nested
	class Inner {

		@RpcReference(name = "cellar")
		private Stock inner;

		@Test
		void referencesOfNestedTests_areConnected() {
			assertThat(ReferencesOfTestTests.this.client.references()).hasSize(2).allMatch(ReferenceInfo::isReady);
			assertThat(this.inner.available("chair")).isEqualTo(5);
		}

	}

}
