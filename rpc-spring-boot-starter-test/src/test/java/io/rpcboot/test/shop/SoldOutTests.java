package io.rpcboot.test.shop;

import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
class SoldOutTests {

	@Autowired
	private OrderController orders;

	@Test
	void order_isSoldOut_withoutStock() {
		assertThat(this.orders.order("chair")).isEqualTo("sold out");
	}

	@TestConfiguration
	static class Stocks {

		@Bean
		@Primary
		Stock emptyStock() {
			return new EmptyStock();
		}

	}

	static class EmptyStock implements Stock {

		@Override
		public int available(String article) {
			return 0;
		}

		@Override
		public CompletableFuture<Integer> availableLater(String article) {
			return CompletableFuture.completedFuture(0);
		}

	}

}
