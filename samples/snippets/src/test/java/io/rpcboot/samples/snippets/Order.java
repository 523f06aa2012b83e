package io.rpcboot.samples.snippets;

import java.util.ArrayList;
import java.util.List;

public class Order {

	private final List<Item> items = new ArrayList<>();

	public Order() {
	}

}
