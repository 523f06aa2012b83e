package io.rpcboot.samples.tracing;

/** Knows where things lie. */
public interface WarehouseService {

	/**
	 * Find an item.
	 * @param item its name
	 * @return where it lies
	 * @throws NoSuchItemException if it lies nowhere
	 */
	String find(String item) throws NoSuchItemException;

}
