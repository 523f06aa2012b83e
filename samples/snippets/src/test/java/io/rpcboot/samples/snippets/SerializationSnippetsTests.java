package io.rpcboot.samples.snippets;

import java.math.BigDecimal;
import java.util.List;

import io.rpcboot.samples.snippets.Drawings.Card;
import io.rpcboot.samples.snippets.Drawings.Cash;
import io.rpcboot.samples.snippets.Drawings.Square;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.test.RpcTest;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Import;
import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs the snippets of docs/serialization.md. */
@RpcTest
@Import(MoneyConfiguration.class)
class SerializationSnippetsTests {

	@RpcReference
	private Shop shop;

	@RpcReference
	private Drawings drawings;

	@Test
	void finalList_getsElements() {
		Order order = new Order();
		items(order).add(new Item("tea", 2));
		assertThat(items(this.shop.order(order))).containsExactly(new Item("tea", 2));
	}

	@SuppressWarnings("unchecked")
	private static List<Item> items(Order order) {
		return (List<Item>) ReflectionTestUtils.getField(order, "items");
	}

	@Test
	void subtypes_areCarried() {
		assertThat(this.drawings.pay(new Card("4711"))).isEqualTo(new Card("4711"));
		assertThat(this.drawings.pay(new Cash(3))).isEqualTo(new Cash(3));
		Square square = new Square();
		square.setSide(5);
		assertThat(this.drawings.draw(square)).isInstanceOfSatisfying(Square.class,
				(drawn) -> assertThat(drawn.getSide()).isEqualTo(5));
	}

	@Test
	void classOfLibrary_isCarriedAsSurrogate() {
		Money amount = this.shop.rounded(Money.of(new BigDecimal("2.50"), "EUR"));
		assertThat(amount.getNumberStripped()).isEqualTo("2.5");
		assertThat(amount.getCurrency().getCurrencyCode()).isEqualTo("EUR");
	}

}
