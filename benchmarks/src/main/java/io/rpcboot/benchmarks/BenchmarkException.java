package io.rpcboot.benchmarks;

/**
 * A system could not be measured.
 */
final class BenchmarkException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	BenchmarkException(String message) {
		super(message);
	}

}
