package io.rpcboot.engine.call;

import java.util.concurrent.CompletableFuture;

/** A service whose code throws errors. */
public interface Bombs {

	/** Throws an error of this kind, from the implementation. */
	String boom(String kind);

	/** The argument's constructor throws when it is armed. */
	String take(Fragile fragile);

	/** Completes at once. */
	CompletableFuture<String> later(String name);

	/** The thread that runs it. */
	String thread();

	/** A type of which the reader's objects can be made to fail. */
	class Fragile {

		/** Whether the next object fails; the reader's and writer's JVM are one here. */
		static volatile boolean armed;

		public String name = "fragile";

		/** Fails when armed. */
		public Fragile() {
			if (armed) {
				throw new OutOfMemoryError("constructor");
			}
		}

	}

	/** Throws what it is told to. */
	class Impl implements Bombs {

		@Override
		public String boom(String kind) {
			throw error(kind);
		}

		static Error error(String kind) {
			return switch (kind) {
				case "memory" -> new OutOfMemoryError("on purpose");
				case "stack" -> new StackOverflowError("on purpose");
				case "linkage" -> new NoClassDefFoundError("on purpose");
				default -> new AssertionError("on purpose");
			};
		}

		@Override
		public String take(Fragile fragile) {
			return fragile.name;
		}

		@Override
		public CompletableFuture<String> later(String name) {
			return CompletableFuture.completedFuture(name);
		}

		@Override
		public String thread() {
			return Thread.currentThread().getName() + " " + System.identityHashCode(Thread.currentThread());
		}

	}

}
