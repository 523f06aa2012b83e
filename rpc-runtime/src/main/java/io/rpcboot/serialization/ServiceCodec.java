package io.rpcboot.serialization;

import io.rpcboot.serialization.contract.Contract;

/**
 * The serialization of one service. Thread-safe.
 */
public interface ServiceCodec {

	/**
	 * All that decides how bytes are read: methods, types, fields, constants. Equal
	 * contracts mean that each side reads what the other writes.
	 * @return the contract
	 */
	Contract contract();

	/**
	 * The serialization of one method, for a peer with an equal contract.
	 * @param number the method's number
	 * @return its codec
	 */
	MethodCodec method(int number);

	/**
	 * The serialization for a peer with another contract. Cheap; what takes time is done
	 * when the first message of a method is read, and kept.
	 * @param peer the peer's contract, from the wire: names in it are compared and never
	 * looked up
	 * @return a translation, to be kept as long as the contract is known
	 */
	Translation translate(Contract peer);

	/**
	 * The serialization of one service for one other contract. Thread-safe.
	 */
	interface Translation {

		/**
		 * The serialization of one method. It writes its own layout, as every side does,
		 * and reads what the peer's method writes in the peer's layout.
		 * @param number the method's number in the own contract
		 * @param peerNumber the number of its counterpart in the peer's contract, as
		 * {@link io.rpcboot.serialization.contract.ContractMatch} found it
		 * @return its codec
		 */
		MethodCodec method(int number, int peerNumber);

	}

}
