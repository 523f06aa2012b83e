package io.rpcboot.test.shop;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.http.HttpStatus;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;

@WebMvcTest(OrderController.class)
class OrderControllerTests {

	@MockitoBean
	private Stock stock;

	@Autowired
	private MockMvcTester http;

	@Test
	void stockIsAway() {
		given(this.stock.available("chair")).willThrow(new RpcException(RpcStatus.UNAVAILABLE, "away", false));
		assertThat(this.http.get().uri("/orders/chair")).hasStatus(HttpStatus.SERVICE_UNAVAILABLE);
	}

	@Test
	void nothingLeft() {
		given(this.stock.available("chair")).willReturn(0);
		assertThat(this.http.get().uri("/orders/chair")).hasBodyTextEqualTo("sold out");
	}

}
