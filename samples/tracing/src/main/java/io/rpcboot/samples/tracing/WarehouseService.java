package io.rpcboot.samples.tracing;

/** Warehouse service. */
public interface WarehouseService {

	/**
	 * Finds an item.
	 * @param item its name
	 * @return its place
	 * @throws NoSuchItemException if it has none
	 */
	String find(String item) throws NoSuchItemException;

}
