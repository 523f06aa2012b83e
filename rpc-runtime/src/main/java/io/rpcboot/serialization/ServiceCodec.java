package io.rpcboot.serialization;

import java.util.List;

import io.rpcboot.Side;
import io.rpcboot.serialization.contract.Contract;

/**
 * Codec of one service. Thread-safe.
 *
 * @since 0.1.0
 */
public interface ServiceCodec {

	/**
	 * Returns the contract of the service: methods, types, fields and constants. If the
	 * contracts of two sides are equal, each side reads what the other writes.
	 * @return the contract
	 */
	Contract contract();

	/**
	 * Returns the codec of a method for a peer with an equal contract.
	 * @param number number of the method, from 0
	 * @return codec of the method
	 */
	MethodCodec method(int number);

	/**
	 * Creates the translation for a peer with another contract. Cheap: readers are built
	 * by the first message of a method, and kept.
	 * @param peer contract of the peer; its names are compared and never looked up as
	 * classes
	 * @return translation, to be kept while the contract is in use
	 */
	Translation translate(Contract peer);

	/**
	 * Returns the fields that a peer's contract lacks, and that a constructor of this
	 * side gets as null. They are logged when the contracts are compared.
	 * @param peer contract of the peer
	 * @param reader side of this codec: a server reads arguments, a client results
	 * @return for each class a text such as {@code com.acme.Order without lines}
	 */
	default List<String> missingFields(Contract peer, Side reader) {
		return List.of();
	}

	/**
	 * Codec of one service for a peer with another contract. Thread-safe.
	 */
	interface Translation {

		/**
		 * Returns the codec of a method. It writes the own layout and reads the layout of
		 * the peer.
		 * @param number number of the method in the own contract
		 * @param peerNumber number of its counterpart in the peer's contract, from
		 * {@link io.rpcboot.serialization.contract.ContractMatch}
		 * @return codec of the method
		 */
		MethodCodec method(int number, int peerNumber);

	}

}
