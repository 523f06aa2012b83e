package com.acme;

import java.util.List;

/**
 * A type that docs/wire-types.md carries by a delegate.
 */
public class Bag<T> {

	private final List<T> items;

	public Bag(List<T> items) {
		this.items = items;
	}

	public List<T> items() {
		return this.items;
	}

}
