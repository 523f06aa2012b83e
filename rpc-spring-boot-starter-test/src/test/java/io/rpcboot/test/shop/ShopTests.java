package io.rpcboot.test.shop;

import io.rpcboot.test.AutoConfigureRpcInProcess;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
@AutoConfigureMockMvc
@AutoConfigureRpcInProcess
class ShopTests {

	@Autowired
	private MockMvcTester http;

	@Test
	void orders() {
		assertThat(this.http.get().uri("/orders/chair")).hasBodyTextEqualTo("ordered");
	}

}
