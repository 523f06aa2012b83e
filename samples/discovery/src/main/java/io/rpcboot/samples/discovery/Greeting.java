package io.rpcboot.samples.discovery;

/** Greeting service. */
public interface Greeting {

	/**
	 * Greets a person.
	 * @param name name of the person
	 * @return the greeting, with the port of the provider
	 */
	String greet(String name);

}
