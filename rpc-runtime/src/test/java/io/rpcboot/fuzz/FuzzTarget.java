package io.rpcboot.fuzz;

import java.util.List;

/** What reads the bytes of a stranger. */
public interface FuzzTarget {

	/**
	 * Read bytes.
	 * @param input any bytes
	 * @throws RuntimeException or any other, if the bytes did what no bytes may do
	 */
	void run(byte[] input);

	/** Inputs to start from: valid ones. */
	List<byte[]> seeds();

}
