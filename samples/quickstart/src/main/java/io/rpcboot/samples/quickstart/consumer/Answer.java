package io.rpcboot.samples.quickstart.consumer;

/**
 * Result of one call.
 *
 * @param call text of the call
 * @param answer the result or the failure
 * @param right true if it is the expected result
 */
public record Answer(String call, String answer, boolean right) {

	@Override
	public String toString() {
		return "%s%n  %s %s".formatted(this.call, this.right ? "->" : "-> WRONG:", this.answer);
	}

}
