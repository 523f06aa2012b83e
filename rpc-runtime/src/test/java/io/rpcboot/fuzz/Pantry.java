package io.rpcboot.fuzz;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.rpcboot.RpcAlias;
import io.rpcboot.RpcEnumDefault;

/** A small service with a kind of each type, so that its table is short. */
public interface Pantry {

	Shelf<Jar> find(List<String> names, Kind kind) throws Broken;

	@RpcAlias("take")
	long get(int number, Map<Kind, Jar> jars);

	Object any(Object value);

	/** A bean. */
	class Shelf<T> {

		public int number;

		public List<T> items = List.of();

		public Shelf<T> above;

	}

	/** A record. */
	record Jar(String name, @RpcAlias("volume") long size, Optional<Kind> kind, int[] marks) {
	}

	/** An enum. */
	enum Kind {

		JAM, HONEY, @RpcEnumDefault
		OTHER

	}

	/** A base. */
	sealed interface Tool permits Spoon, Knife {

	}

	/** A subtype. */
	record Spoon(int size) implements Tool {
	}

	/** A subtype. */
	record Knife(Tool other) implements Tool {
	}

	Tool tool(Tool tool);

	/** A declared exception. */
	class Broken extends Exception {

		private static final long serialVersionUID = 1L;

		private final int pieces;

		public Broken(String message, int pieces) {
			super(message);
			this.pieces = pieces;
		}

		public int pieces() {
			return this.pieces;
		}

	}

}
