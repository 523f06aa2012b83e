package io.rpcboot.engine.stream;

import java.util.Iterator;
import java.util.concurrent.Flow;
import java.util.stream.Stream;

import reactor.core.publisher.Flux;

/** Methods that return streams, one beside them that does not. */
public interface Feeds {

	/** Ticks from 0 on. */
	Flow.Publisher<Tick> ticks(int count);

	Flux<Tick> flux(int count);

	Stream<Tick> stream(int count);

	Iterator<Tick> iterator(int count);

	/** Elements of a length. */
	Flux<byte[]> blobs(int count, int length);

	/** Some ticks, then a failure. */
	Flux<Tick> failing(int count, Failure how) throws OutOfTicksException;

	/** Ticks for as long as they are wanted. */
	Flux<Tick> endless();

	/** Nothing, and no end. */
	Flux<Tick> silent();

	String echo(String text);

	/** Kind of failure of a stream. */
	enum Failure {

		DECLARED, UNDECLARED, STATUS, NULL_ELEMENT, NULL_STREAM, THROWN

	}

	/**
	 * An element.
	 *
	 * @param number from 0 on
	 * @param text text of the number
	 */
	record Tick(int number, String text) {

		public static Tick of(long number) {
			return new Tick((int) number, "tick " + number);
		}

	}

	/** Declared. */
	class OutOfTicksException extends Exception {

		private static final long serialVersionUID = 1;

		private final int after;

		public OutOfTicksException(String message, int after) {
			super(message);
			this.after = after;
		}

		public int after() {
			return this.after;
		}

	}

}
