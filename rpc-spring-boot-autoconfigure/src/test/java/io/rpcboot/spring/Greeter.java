package io.rpcboot.spring;

public interface Greeter {

	String greet(String name);

}
