package io.rpcboot.benchmarks.streams;

import java.io.InputStream;
import java.util.concurrent.CompletableFuture;

import reactor.core.publisher.Flux;

/**
 * The contract that is measured, in our form; {@code streams.proto} is the same.
 */
public interface StreamService {

	/**
	 * Sends elements.
	 * @param bytes size of an element
	 * @param count number of elements
	 * @return the elements
	 */
	Flux<byte[]> down(int bytes, int count);

	/**
	 * Takes elements.
	 * @param elements any bytes
	 * @return bytes of all elements
	 */
	CompletableFuture<Long> up(Flux<byte[]> elements);

	/**
	 * Sends each element back.
	 * @param elements any bytes
	 * @return the elements
	 */
	Flux<byte[]> both(Flux<byte[]> elements);

	/**
	 * Sends a file.
	 * @param length its bytes
	 * @return its content
	 */
	InputStream bytes(long length);

}
