package io.rpcboot.serialization;

/**
 * The serialization of one service. Thread-safe.
 */
public interface ServiceCodec {

	/**
	 * The hash over all that decides how bytes are read: methods, types, fields,
	 * constants. Equal hashes mean that each side reads what the other writes.
	 * @return the hash
	 */
	ContractHash hash();

	/**
	 * The serialization of one method.
	 * @param number the method's number
	 * @return its codec
	 */
	MethodCodec method(int number);

}
