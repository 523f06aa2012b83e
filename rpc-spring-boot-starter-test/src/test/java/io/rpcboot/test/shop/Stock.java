package io.rpcboot.test.shop;

import java.util.concurrent.CompletableFuture;

public interface Stock {

	int available(String article);

	CompletableFuture<Integer> availableLater(String article);

}
