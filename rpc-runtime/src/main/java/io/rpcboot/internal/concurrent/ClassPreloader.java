package io.rpcboot.internal.concurrent;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Uses before they are needed what the JVM links when it is first used, because it takes
 * memory for that, which may be short when it matters.
 */
final class ClassPreloader {

	private ClassPreloader() {
	}

	/** Take from a deque at its ends and in its middle. */
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
