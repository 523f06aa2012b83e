package io.rpcboot.serialization.zoo;

import java.time.LocalDate;
import java.util.List;
import java.util.stream.Stream;

import io.rpcboot.serialization.zoo.ZooClasses.Cart;
import io.rpcboot.serialization.zoo.ZooClasses.Range;
import io.rpcboot.serialization.zoo.ZooTypes.Account;
import io.rpcboot.serialization.zoo.ZooTypes.Colour;
import io.rpcboot.serialization.zoo.ZooTypes.Dog;
import io.rpcboot.serialization.zoo.ZooTypes.Empty;
import io.rpcboot.serialization.zoo.ZooTypes.Mixed;
import io.rpcboot.serialization.zoo.ZooTypes.Pair;
import io.rpcboot.serialization.zoo.ZooTypes.Point;
import io.rpcboot.serialization.zoo.ZooTypes.PointHolder;
import io.rpcboot.serialization.zoo.ZooTypes.Primitives;
import io.rpcboot.serialization.zoo.ZooTypes.Tree;
import io.rpcboot.workload.UserServiceImpl;

import static io.rpcboot.serialization.zoo.ZooRow.row;

/**
 * Beans and records.
 */
final class ClassRows {

	private ClassRows() {
	}

	static Stream<ZooRow> rows() {
		return Stream.of(row("Point", new Point(1, -2), new Point(0, 0)), row("Empty", new Empty()),
				row("Mixed",
						new Mixed((byte) -1, (short) -2, 'x', true, -3L, 1.5f, 2.5, "t", Colour.GREEN, new Point(3, 4),
								List.of(new Point(5, 6))),
						new Mixed((byte) 0, (short) 0, '\0', false, 0, 0, 0, null, null, null, null)),
				row("Pair<String, Pair<Integer, Colour>>", new Pair<>("a", new Pair<>(1, Colour.RED)),
						new Pair<>(null, null)),
				row("Pair<Integer, Void>", new Pair<>(1, null)),
				row("Range<LocalDate>", new Range<>(LocalDate.EPOCH, LocalDate.MAX), new Range<>(null, LocalDate.MIN)),
				row("Primitives", Primitives.of(0), Primitives.of(-1), Primitives.of(0x0123456789ABCDEFL)),
				row("Dog", dog(), new Dog()),
				row("Account", Account.of(7, List.of("a", "b"), "note"), Account.of(-7, null, null)),
				row("Tree", Tree.of("root", Tree.of("left", Tree.of("leaf")), Tree.of("right"))),
				row("Cart", Cart.of("a", null).with("within", Cart.of("b")), new Cart(), Cart.of()),
				row("PointHolder", PointHolder.of(new Point(1, 2)), new PointHolder()),
				row("User", new UserServiceImpl().getUser(7)), row("Page<User>", new UserServiceImpl().listUser(3)));
	}

	private static Dog dog() {
		Dog dog = new Dog();
		dog.setName("Rex");
		dog.setBorn(LocalDate.of(2020, 2, 29));
		dog.setAge(-6);
		return dog;
	}

}
