package io.rpcboot.benchmarks.away;

/** The service that is away. */
public interface Greeter {

	/** Greets. */
	String greet(String name);

}
