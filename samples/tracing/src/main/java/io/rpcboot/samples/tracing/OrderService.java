package io.rpcboot.samples.tracing;

/** Order service. */
public interface OrderService {

	/**
	 * Orders an item.
	 * @param item its name
	 * @return its place
	 */
	String order(String item);

}
