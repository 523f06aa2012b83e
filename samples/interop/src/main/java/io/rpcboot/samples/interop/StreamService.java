package io.rpcboot.samples.interop;

import java.util.Iterator;

/** Methods with streams of each kind. */
public interface StreamService {

	/**
	 * Returns the numbers from 1 on.
	 * @param count number of them
	 * @param fails true to fail behind the last one
	 */
	Iterator<Integer> numbers(int count, boolean fails);

	/**
	 * Returns the sum of numbers.
	 * @param numbers the numbers
	 */
	int sum(Iterator<Integer> numbers);

	/**
	 * Returns the square of each number as soon as it is there.
	 * @param numbers the numbers
	 */
	Iterator<Integer> squares(Iterator<Integer> numbers);

}
