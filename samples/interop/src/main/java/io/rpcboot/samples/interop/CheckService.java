package io.rpcboot.samples.interop;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** Methods for checks that the interoperability tests of gRPC do not have. */
public interface CheckService {

	/**
	 * Waits, unless the call is cancelled.
	 * @param millis longest time
	 */
	void pause(int millis);

	/**
	 * Returns how often {@link #pause} was cancelled.
	 * @return a number
	 */
	int cancelled();

	/** Counts its calls. */
	void count();

	/**
	 * Returns how often {@link #count} was called.
	 * @return a number
	 */
	int counted();

	/**
	 * Throws an exception that is not declared.
	 * @param message its text
	 */
	void fail(String message);

	/**
	 * Throws an exception that is declared.
	 * @param reason its text
	 * @param code its number
	 * @throws Refused always
	 */
	void refuse(String reason, int code) throws Refused;

	/**
	 * Returns what it was given.
	 * @param item any item, may be null
	 * @return the same
	 */
	@Nullable Item echo(@Nullable Item item);

	/**
	 * Item with fields of many types.
	 *
	 * @param name text
	 * @param count number or null
	 * @param kind constant
	 * @param at instant
	 * @param parts items by name
	 * @param shapes objects of a sealed interface
	 */
	record Item(@Nullable String name, @Nullable Integer count, @Nullable Kind kind, @Nullable Instant at,
			@Nullable Map<String, Item> parts, @Nullable List<Shape> shapes) {
	}

	/** Constants. */
	enum Kind {

		SMALL, LARGE

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
	record Square(double side) implements Shape {
	}

	/** Declared exception. */
	class Refused extends Exception {

		private static final long serialVersionUID = 1L;

		private final int code;

		public Refused(String message, int code) {
			super(message);
			this.code = code;
		}

		public int getCode() {
			return this.code;
		}

	}

}
