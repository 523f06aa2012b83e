package io.rpcboot.serialization.zoo;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.rpcboot.serialization.Delegate;
import io.rpcboot.serialization.TypeOptions;

import static io.rpcboot.serialization.zoo.ZooRow.row;

/**
 * Classes that could be of others: they are carried by delegates alone.
 */
public final class ZooForeign {

	private static final String HERE = ZooForeign.class.getName() + ".";

	/** What carries them. */
	public static final TypeOptions TYPES = TypeOptions.NONE
		.withDelegate(new Delegate<>(Path.class, String.class, Path::toString, Path::of))
		.withDelegate(new Delegate<>(Money.class, Cents.class, (money) -> new Cents(money.cents, "EUR"),
				(cents) -> Money.of(cents.amount())))
		.withDelegate(
				new Delegate<Option<?>, Maybe<?>>(Option.class, Maybe.class, ZooForeign::maybe, ZooForeign::option));

	private ZooForeign() {
	}

	static Stream<ZooRow> rows() {
		return Stream.of(row("java.nio.file.Path", Path.of("a/b"), Path.of("")),
				row(HERE + "Money", Money.of(0), Money.of(-5)),
				row(HERE + "Money[]", new Object[] { new Money[] { Money.of(1), null } }),
				row(HERE + "Option<" + HERE + "Money>", Option.of(Money.of(7)), Option.of(null)),
				row("%1$sOption<%1$sOption<List<java.nio.file.Path>>>".formatted(HERE),
						Option.of(Option.of(List.of(Path.of("c")))), Option.of(Option.of(null))));
	}

	private static <T> Maybe<T> maybe(Option<T> option) {
		return new Maybe<>(option.get());
	}

	private static <T> Option<T> option(Maybe<T> maybe) {
		return Option.of(maybe.value());
	}

	/** Without a constructor that could be found. */
	public static final class Money {

		private final long cents;

		private Money(String text) {
			this.cents = Long.parseLong(text);
		}

		public static Money of(long cents) {
			return new Money(Long.toString(cents));
		}

		@Override
		public boolean equals(Object other) {
			return other instanceof Money money && money.cents == this.cents;
		}

		@Override
		public int hashCode() {
			return Long.hashCode(this.cents);
		}

	}

	/** Stands for money. */
	public record Cents(long amount, String currency) {
	}

	/** Whose subclasses nobody sees. */
	public abstract static class Option<T> {

		public abstract T get();

		public static <T> Option<T> of(T value) {
			return new Option<>() {

				@Override
				public T get() {
					return value;
				}

			};
		}

		@Override
		public boolean equals(Object other) {
			return other instanceof Option<?> option && Objects.equals(option.get(), get());
		}

		@Override
		public int hashCode() {
			return Objects.hashCode(get());
		}

	}

	/** Stands for an option. */
	public record Maybe<T>(T value) {
	}

}
