package io.rpcboot.serialization.zoo;

import java.util.List;
import java.util.Objects;

import io.rpcboot.RpcSubtypes;

/**
 * Classes with subtypes, which only the zoo has.
 */
public final class ZooHierarchies {

	private ZooHierarchies() {
	}

	/** Sealed, down to records, a class and an enum. */
	public sealed interface Shape permits Circle, Polygon, Unit {

	}

	/** A record. */
	public record Circle(double radius) implements Shape {

	}

	/** An abstract class in between. */
	public abstract static sealed class Polygon implements Shape permits Square, Named {

		public String colour;

		@Override
		public boolean equals(Object other) {
			return other != null && other.getClass() == getClass()
					&& Objects.equals(((Polygon) other).colour, this.colour);
		}

		@Override
		public int hashCode() {
			return Objects.hashCode(this.colour);
		}

	}

	/** A class that inherits its field. */
	public static final class Square extends Polygon {

		public static Square of(String colour) {
			Square square = new Square();
			square.colour = colour;
			return square;
		}

	}

	/** A class that holds what it is itself one of. */
	public static non-sealed class Named extends Polygon {

		public List<Shape> parts;

		public static Named of(Shape... parts) {
			Named named = new Named();
			named.parts = List.of(parts);
			return named;
		}

		@Override
		public boolean equals(Object other) {
			return super.equals(other) && Objects.equals(((Named) other).parts, this.parts);
		}

		@Override
		public int hashCode() {
			return Objects.hashCode(this.parts);
		}

	}

	/** An enum with a body. */
	public enum Unit implements Shape {

		POINT, LINE {
			@Override
			public String toString() {
				return "a line";
			}
		}

	}

	/** Sealed and generic. */
	public sealed interface Result<T> permits Ok, Failed, Many {

	}

	/** Has the argument of its base. */
	public record Ok<V>(V value) implements Result<V> {

	}

	/** Has none. */
	public record Failed<T>(String reason) implements Result<T> {

	}

	/** Has it within a list. */
	public record Many<E>(List<E> values) implements Result<List<E>> {

	}

	/** A class that is not abstract and has subtypes. */
	@RpcSubtypes(Truck.class)
	public static class Vehicle {

		public int wheels;

		public static Vehicle of(int wheels) {
			Vehicle vehicle = new Vehicle();
			vehicle.wheels = wheels;
			return vehicle;
		}

		@Override
		public boolean equals(Object other) {
			return other != null && other.getClass() == getClass() && ((Vehicle) other).wheels == this.wheels;
		}

		@Override
		public int hashCode() {
			return this.wheels;
		}

	}

	/** Its subtype, which brings one of its own. */
	@RpcSubtypes(Trailer.class)
	public static class Truck extends Vehicle {

		public Vehicle load;

		public static Truck of(Vehicle load) {
			Truck truck = new Truck();
			truck.load = load;
			return truck;
		}

		@Override
		public boolean equals(Object other) {
			return super.equals(other) && Objects.equals(((Truck) other).load, this.load);
		}

		@Override
		public int hashCode() {
			return Objects.hashCode(this.load);
		}

	}

	/** A subtype of a subtype. */
	public static class Trailer extends Truck {

	}

}
