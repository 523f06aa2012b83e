package io.rpcboot.internal.stream;

/** Takes the elements of one stream that leave, one after the other. */
public interface ElementSink {

	/** Source of the elements, as their sink sees it. */
	interface Source {

		/** The sink has written elements. Event loop only. */
		void onWritten();

		/** The connection drains: no other stream begins on it. Event loop only. */
		void onDrain();

		/** Returns true if elements were asked for that have not come. Any thread. */
		boolean owesElements();

		/** Returns the number of elements that have come. Any thread. */
		long elements();

	}

	/**
	 * Sends an element. One thread at a time.
	 * @param element not changed afterwards
	 * @return false if there is no memory for it
	 */
	boolean next(byte[] element);

	/**
	 * Returns the bytes of elements that may be asked for: little while memory is short,
	 * 0 while enough elements wait for the peer. Any thread.
	 */
	int room();

}
