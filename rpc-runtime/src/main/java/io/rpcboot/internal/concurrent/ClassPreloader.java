package io.rpcboot.internal.concurrent;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Uses code before it is needed. The JVM links code at its first use, which allocates
 * memory and would fail without heap.
 */
final class ClassPreloader {

	private ClassPreloader() {
	}

	/** Adds to a deque, and removes from its ends and its middle. */
	static void ofDeque() {
		Deque<Integer> deque = new ConcurrentLinkedDeque<>();
		for (int i = 0; i < 4; i++) {
			deque.addFirst(i);
		}
		deque.remove(2);
		deque.remove(3);
		deque.remove(0);
		deque.pollFirst();
	}

}
