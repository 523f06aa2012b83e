package io.rpcboot.serialization.shop;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rpcboot.RpcSubtypes;

/** The first version of a contract. */
public interface OldShop {

	Order order(Order order) throws Missing, Closed;

	Colour colour(Colour colour);

	Set<Colour> colours(Set<Colour> colours);

	Shape shape(Shape shape);

	Object anything(Object value);

	void nothing();

	float ratio();

	enum Colour {

		RED, GREEN, PURPLE

	}

	record Order(int id, String name, Integer count, float weight, Note note, List<String> tags,
			Map<Colour, LocalDate> dates, int[] marks, Short[] sizes, Order next) {
	}

	/** A class that the second version does not have. */
	record Note(String text, List<Note> replies, Colour colour, Shape shape, Map<String, long[]> numbers) {
	}

	@RpcSubtypes({ Circle.class, Square.class })
	interface Shape {

	}

	record Circle(double radius) implements Shape {
	}

	record Square(double side) implements Shape {
	}

	class Missing extends Exception {

		private static final long serialVersionUID = 1L;

		private int id;

		public Missing(String message) {
			super(message);
		}

		public static Missing of(String message, int id) {
			Missing missing = new Missing(message);
			missing.id = id;
			return missing;
		}

		public int id() {
			return this.id;
		}

	}

	class Closed extends Exception {

		private static final long serialVersionUID = 1L;

		@SuppressWarnings("serial")
		private List<String> reasons;

		public Closed(String message) {
			super(message);
		}

		public Closed because(String... reasons) {
			this.reasons = List.of(reasons);
			return this;
		}

		public List<String> reasons() {
			return this.reasons;
		}

	}

}
