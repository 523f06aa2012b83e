package io.rpcboot.serialization.shop;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeMap;

import io.rpcboot.RpcAlias;
import io.rpcboot.RpcEnumDefault;
import io.rpcboot.RpcSubtypes;

/**
 * The second version of {@link OldShop}. Its classes have other names only because both
 * live in one class loader.
 */
public interface NewShop {

	Object anything(Object value);

	String added(String value);

	@RpcAlias("order")
	Order getOrder(Order order) throws Missing;

	Colour colour(Colour colour);

	LinkedHashSet<Colour> colours(LinkedHashSet<Colour> colours);

	Shape shape(Shape shape);

	void nothing();

	/** Was a float. */
	double ratio();

	@RpcAlias("io.rpcboot.serialization.shop.OldShop$Colour")
	enum Colour {

		BLUE, GREEN, RED, @RpcEnumDefault
		OTHER

	}

	/** A record has become a bean; its fields are in another order. */
	@RpcAlias("io.rpcboot.serialization.shop.OldShop$Order")
	class Order {

		String email = "none";

		Order next;

		@RpcAlias("name")
		String fullName = "nobody";

		ArrayList<String> tags = new ArrayList<>(List.of("default"));

		float weight;

		int count = 7;

		Long id;

		TreeMap<Colour, LocalDate> dates;

		Long[] marks = { 5L };

		int[] sizes;

		public String describe() {
			return "%s %s %s %s %s %s %s %s %s %s".formatted(this.id, this.fullName, this.count, this.weight,
					this.email, this.tags, new LinkedHashMap<>(this.dates), Arrays.toString(this.marks),
					Arrays.toString(this.sizes), (this.next != null) ? this.next.id : null);
		}

		public static Order of(long id, String name, int count) {
			Order order = new Order();
			order.id = id;
			order.fullName = name;
			order.count = count;
			order.dates = new TreeMap<>();
			order.sizes = new int[] { 6 };
			return order;
		}

	}

	@RpcSubtypes({ Circle.class, Line.class })
	@RpcAlias("io.rpcboot.serialization.shop.OldShop$Shape")
	interface Shape {

	}

	@RpcAlias("io.rpcboot.serialization.shop.OldShop$Circle")
	record Circle(double radius, String label) implements Shape {
	}

	record Line(double length) implements Shape {
	}

	@RpcAlias("io.rpcboot.serialization.shop.OldShop$Missing")
	class Missing extends Exception {

		private static final long serialVersionUID = 1L;

		private long id;

		private String hint = "no hint";

		public Missing(String message) {
			super(message);
		}

		public String describe() {
			return "%s %d %s".formatted(getMessage(), this.id, this.hint);
		}

	}

}
