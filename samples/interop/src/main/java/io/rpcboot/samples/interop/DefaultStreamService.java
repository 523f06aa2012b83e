package io.rpcboot.samples.interop;

import java.util.Iterator;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;

/** The implementation. */
final class DefaultStreamService implements StreamService {

	@Override
	public Iterator<Integer> numbers(int count, boolean fails) {
		return new Iterator<>() {

			private int last;

			@Override
			public boolean hasNext() {
				if (this.last == count && fails) {
					throw new RpcException(RpcStatus.FAILED_PRECONDITION, "no more than " + count, true);
				}
				return this.last < count;
			}

			@Override
			public Integer next() {
				return ++this.last;
			}

		};
	}

	@Override
	public int sum(Iterator<Integer> numbers) {
		int sum = 0;
		while (numbers.hasNext()) {
			sum += numbers.next();
		}
		return sum;
	}

	@Override
	public Iterator<Integer> squares(Iterator<Integer> numbers) {
		return new Iterator<>() {

			@Override
			public boolean hasNext() {
				return numbers.hasNext();
			}

			@Override
			public Integer next() {
				int number = numbers.next();
				return number * number;
			}

		};
	}

}
