package io.rpcboot.samples.interop;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/** Values of every type that has a form of its own in protobuf. */
public interface ValueService {

	/**
	 * Returns one of the values.
	 * @param index its place, from 0
	 * @return the values of this place
	 */
	Values get(int index);

	/**
	 * Compares what a client has read.
	 * @param index place of the values
	 * @param values the same values, from the client
	 * @return true if they are equal
	 */
	boolean check(int index, Values values);

	/**
	 * A value of each type.
	 */
	record Values(boolean flag, byte tiny, short small, int number, long large, float fraction, double precise,
			char letter, @Nullable Boolean boxedFlag, @Nullable Integer boxedNumber, @Nullable Double boxedPrecise,
			@Nullable String text, @Nullable BigDecimal decimal, @Nullable BigInteger whole, @Nullable UUID id,
			@Nullable URI uri, @Nullable LocalDate date, @Nullable LocalDateTime local, @Nullable Instant at,
			@Nullable Duration lasting, @Nullable Colour colour, OptionalInt maybeNumber, Optional<String> maybeText,
			List<String> texts, List<Integer> numbers, List<Colour> colours, Map<String, Long> counts,
			Map<Colour, String> names, List<List<Integer>> rows, @Nullable Shape shape, List<Circle> circles,
			@Nullable Page<Circle> page) {
	}

	/** Constants. */
	enum Colour {

		RED, GREEN, BLUE

	}

	/** One of two. */
	sealed interface Shape permits Circle, Square {

	}

	/**
	 * Circle.
	 *
	 * @param radius a number
	 */
	record Circle(double radius) implements Shape {
	}

	/**
	 * Square.
	 *
	 * @param side a number
	 */
	record Square(@Nullable Integer side) implements Shape {
	}

	/**
	 * Generic record.
	 *
	 * @param items its items
	 * @param total a number
	 */
	record Page<T>(List<T> items, long total) {
	}

}
