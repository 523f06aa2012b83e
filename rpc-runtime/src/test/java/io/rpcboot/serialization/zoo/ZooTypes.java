package io.rpcboot.serialization.zoo;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The classes of the type zoo.
 */
public final class ZooTypes {

	private ZooTypes() {
	}

	public enum Colour {

		RED, GREEN, BLUE

	}

	public enum Operator {

		PLUS {
			@Override
			int apply(int left, int right) {
				return left + right;
			}
		},

		MINUS {
			@Override
			int apply(int left, int right) {
				return left - right;
			}
		};

		abstract int apply(int left, int right);

	}

	public record Point(int x, int y) {
	}

	public record Mixed(byte b, short s, char c, boolean z, long l, float f, double d, String text, Colour colour,
			Point point, List<Point> points) {
	}

	public record Pair<A, B>(A first, B second) {
	}

	public record Positive(int value) {

		public Positive {
			if (value <= 0) {
				throw new IllegalArgumentException("value: %d (expected: positive)".formatted(value));
			}
		}

	}

	public record Empty() {
	}

	/** A bean of every primitive, with initialisers that must not come back. */
	public static class Primitives {

		private byte b = 1;

		private short s = 2;

		private char c = 'c';

		private int i = 4;

		private long l = 5;

		private boolean z = true;

		private float f = 7;

		private double d = 8;

		private transient int skipped = 9;

		public static Primitives of(long seed) {
			Primitives value = new Primitives();
			value.b = (byte) seed;
			value.s = (short) seed;
			value.c = (char) seed;
			value.i = (int) seed;
			value.l = seed;
			value.z = (seed & 1) != 0;
			value.f = Float.intBitsToFloat((int) seed);
			value.d = Double.longBitsToDouble(seed);
			value.skipped = 77;
			return value;
		}

		public int skipped() {
			return this.skipped;
		}

		@Override
		public boolean equals(Object other) {
			return other instanceof Primitives that && toString().equals(that.toString());
		}

		@Override
		public int hashCode() {
			return toString().hashCode();
		}

		@Override
		public String toString() {
			return List.of(this.b, this.s, (int) this.c, this.i, this.l, this.z, this.f, this.d).toString();
		}

	}

	/** A class whose fields have values before anything is read. */
	public static class Initialised {

		public String text = "default";

		public List<String> list = new ArrayList<>(List.of("x"));

		public Map<String, Integer> map = Map.of("one", 1);

		public Integer boxed = 1;

	}

	public static class Animal {

		private String name;

		private LocalDate born;

		public void setName(String name) {
			this.name = name;
		}

		public void setBorn(LocalDate born) {
			this.born = born;
		}

		@Override
		public boolean equals(Object other) {
			return other != null && other.getClass() == getClass() && Objects.equals(this.name, ((Animal) other).name)
					&& Objects.equals(this.born, ((Animal) other).born);
		}

		@Override
		public int hashCode() {
			return Objects.hash(this.name, this.born);
		}

	}

	public static class Dog extends Animal {

		private int age;

		public void setAge(int age) {
			this.age = age;
		}

		@Override
		public boolean equals(Object other) {
			return super.equals(other) && this.age == ((Dog) other).age;
		}

		@Override
		public int hashCode() {
			return super.hashCode() + this.age;
		}

	}

	/** Made by its constructor: final fields, one field that is set afterwards. */
	public static class Account {

		private final long id;

		private final List<String> owners;

		private String note;

		private Account(List<String> owners, long id) {
			this.id = id;
			this.owners = owners;
		}

		public static Account of(long id, List<String> owners, String note) {
			Account account = new Account(owners, id);
			account.note = note;
			return account;
		}

		@Override
		public boolean equals(Object other) {
			return other instanceof Account that && this.id == that.id && Objects.equals(this.owners, that.owners)
					&& Objects.equals(this.note, that.note);
		}

		@Override
		public int hashCode() {
			return Objects.hash(this.id, this.owners, this.note);
		}

	}

	/** A recursive class with a private constructor. */
	public static final class Tree {

		private String name;

		private List<Tree> children;

		private Tree() {
		}

		public static Tree of(String name, Tree... children) {
			Tree tree = new Tree();
			tree.name = name;
			tree.children = new ArrayList<>(List.of(children));
			return tree;
		}

		public void add(Tree child) {
			this.children.add(child);
		}

		@Override
		public boolean equals(Object other) {
			return other instanceof Tree that && Objects.equals(this.name, that.name)
					&& Objects.equals(this.children, that.children);
		}

		@Override
		public int hashCode() {
			return Objects.hash(this.name, this.children);
		}

	}

	/** A generic base whose parameter a subclass fixes. */
	public static class Holder<T> {

		protected T held;

		protected Map<String, List<T>> more;

		protected Optional<T> perhaps = Optional.empty();

		@Override
		public boolean equals(Object other) {
			return other instanceof Holder<?> that && Objects.equals(this.held, that.held)
					&& Objects.equals(this.more, that.more) && Objects.equals(this.perhaps, that.perhaps);
		}

		@Override
		public int hashCode() {
			return Objects.hash(this.held, this.more, this.perhaps);
		}

	}

	public static class PointHolder extends Holder<Point> {

		public static PointHolder of(Point point) {
			PointHolder holder = new PointHolder();
			holder.held = point;
			holder.more = Map.of("a", List.of(point, point));
			holder.perhaps = Optional.of(point);
			return holder;
		}

	}

}
