package io.rpcboot.samples.snippets;

import io.rpcboot.RpcSubtypes;

/** A contract with subtypes, with the modifiers that docs/serialization.md has. */
@SuppressWarnings("checkstyle:RedundantModifier")
public interface Drawings {

	Payment pay(Payment payment);

	Shape draw(Shape shape);

	public sealed interface Payment permits Card, Cash {

	}

	@RpcSubtypes({ Circle.class, Square.class })
	public abstract class Shape {

	}

	record Card(String number) implements Payment {

	}

	record Cash(int coins) implements Payment {

	}

	class Circle extends Shape {

	}

	class Square extends Shape {

		private int side;

		public int getSide() {
			return this.side;
		}

		public void setSide(int side) {
			this.side = side;
		}

	}

}
