package io.rpcboot.samples.discovery;

/** Greets. */
public interface Greeting {

	/**
	 * Greet somebody.
	 * @param name who
	 * @return the greeting, and which provider says it
	 */
	String greet(String name);

}
