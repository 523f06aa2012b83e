package io.rpcboot.test.context;

public interface Prices {

	String of(String article);

}
