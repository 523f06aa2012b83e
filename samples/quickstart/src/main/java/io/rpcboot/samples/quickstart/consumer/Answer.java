package io.rpcboot.samples.quickstart.consumer;

/**
 * What came back from one call.
 *
 * @param call the call, for people
 * @param answer the result, or the failure
 * @param right whether it is what the service promises
 */
public record Answer(String call, String answer, boolean right) {

	@Override
	public String toString() {
		return "%s%n  %s %s".formatted(this.call, this.right ? "->" : "-> WRONG:", this.answer);
	}

}
