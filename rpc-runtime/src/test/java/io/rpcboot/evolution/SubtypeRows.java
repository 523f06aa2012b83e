package io.rpcboot.evolution;

import java.util.List;

import static io.rpcboot.evolution.EvolutionRow.ERROR;
import static io.rpcboot.evolution.EvolutionRow.change;
import static io.rpcboot.evolution.EvolutionRow.refused;

/**
 * Declared types that stand for several: sealed types, {@code @RpcSubtypes} and
 * {@code Object}. Which types there are is matched by name.
 */
final class SubtypeRows {

	private static final String PETS = """
			sealed interface Pet permits Cat, Dog { }
			record Cat(int lives) implements Pet { }
			record Dog(String name) implements Pet { }
			class User { Pet pet = new Dog("Rex"); }
			""";

	private SubtypeRows() {
	}

	static List<EvolutionRow> rows() {
		return List.of(change("subtypes added in front", PETS, """
				sealed interface Pet permits Ant, Bee, Cat, Dog { }
				record Ant(int legs) implements Pet { }
				enum Bee implements Pet { ONE }
				record Cat(int lives) implements Pet { }
				record Dog(boolean good, String name) implements Pet { }
				class User { Pet pet = new Cat(9); }
				""", "User{pet=Dog{good=false, name='Rex'}}", "User{pet=Cat{lives=9}}"),
				change("subtype that the reader has not", PETS, """
						sealed interface Pet permits Cat, Eel { }
						record Cat(int lives) implements Pet { }
						record Eel(int volts) implements Pet { }
						class User { Pet pet = new Eel(600); }
						""", ERROR + ".pet: evolution.Api$Dog, which the other side has for evolution.Api$Pet",
						ERROR + ".pet: evolution.Api$Eel, which the other side has for evolution.Api$Pet"),
				change("subtype renamed with an alias", PETS, """
						sealed interface Pet permits Ant, Cat { }
						@RpcAlias("evolution.Api$Dog") record Ant(String name) implements Pet { }
						record Cat(long lives) implements Pet { }
						class User { Pet pet = new Ant("Adam"); }
						""", "User{pet=Ant{name='Rex'}}", "User{pet=Dog{name='Adam'}}"),
				change("base renamed with an alias", PETS, """
						@RpcAlias("evolution.Api$Pet") sealed interface Beast permits Dog { }
						record Dog(String name) implements Beast { }
						class User { Beast pet = new Dog("Max"); }
						""", "User{pet=Dog{name='Rex'}}", "User{pet=Dog{name='Max'}}"),
				refused("subtype whose field does not fit", PETS, """
						sealed interface Pet permits Cat, Dog { }
						record Cat(String lives) implements Pet { }
						record Dog(String name) implements Pet { }
						class User { Pet pet; }
						""", "field lives of evolution.Api$Cat: int at the client, java.lang.String at the server",
						"field lives of evolution.Api$Cat: java.lang.String at the client, int at the server"),
				change("class gets subtypes", """
						class Pet { int age = 1; }
						class User { Pet pet = new Pet(); List<Pet> pets = new ArrayList<>(List.of(pet)); }
						""", """
						@RpcSubtypes(Cat.class) class Pet { int age = 2; }
						class Cat extends Pet { int lives = 9; }
						class User { Pet pet = new Pet(); List<Pet> pets = new ArrayList<>(); }
						""", "User{pet=Pet{age=1}, pets=[Pet{age=1}]}", "User{pet=Pet{age=2}, pets=[]}"),
				change("value of Object", """
						record A(int x) { }
						class User { Object a = new A(1); Object b = "b"; Object c = 3; A known; }
						""",
						"""
								record A(String y, long x) { }
								enum Z { ONE }
								class User { Z z = Z.ONE; A known; Object c = 5L; Object a = new A("y", 2); Object b = List.of("c"); }
								""",
						"User{z=ONE, known=null, c=3, a=A{y=null, x=1L}, b='b'}",
						"User{a=A{x=2}, b=['c'], c=5L, known=null}"),
				change("value of Object that the reader has not", "class User { Object a = 1; }", """
						record B(int x) { }
						class User { Object a = new B(1); B known; }
						""", "User{a=1, known=null}", ERROR + ".a: evolution.Api$B, which the other side has"),
				refused("class becomes Object", "class User { A a; } record A(int x) { }",
						"class User { Object a; A b; } record A(int x) { }",
						"field a of evolution.Api$User: evolution.Api$A at the client, java.lang.Object at the server",
						"field a of evolution.Api$User: java.lang.Object at the client, evolution.Api$A at the server"));
	}

}
