package io.rpcboot.samples.tracing;

/** Takes orders. */
public interface OrderService {

	/**
	 * Order an item.
	 * @param item its name
	 * @return where it lies
	 */
	String order(String item);

}
