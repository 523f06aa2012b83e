package io.rpcboot.starter;

public interface Greeter {

	String greet(String name);

}
