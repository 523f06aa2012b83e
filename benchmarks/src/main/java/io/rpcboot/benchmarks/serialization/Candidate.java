package io.rpcboot.benchmarks.serialization;

/**
 * One serializer, used as a fast engine would use it: into an array that is used again,
 * from a range of an array. For one thread.
 */
interface Candidate {

	/**
	 * Serialize a value.
	 * @return how many bytes it takes
	 */
	int serialize(Object value) throws Exception;

	/** The bytes of the last value, a copy. */
	byte[] bytes();

	Object deserialize(byte[] bytes) throws Exception;

}
