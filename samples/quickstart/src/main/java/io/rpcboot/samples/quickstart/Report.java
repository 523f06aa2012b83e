package io.rpcboot.samples.quickstart;

import java.util.List;
import java.util.stream.Collectors;

import io.rpcboot.Endpoint;
import io.rpcboot.samples.quickstart.consumer.Answer;
import io.rpcboot.samples.quickstart.consumer.Load;

/**
 * Result of all calls.
 *
 * @param answers one for each method, and one for the other result of existUser
 * @param location node of the provider in ZooKeeper
 * @param endpoint address of the provider
 * @param calls calls of the consumer, including load and warm-up
 * @param providerCalls calls that the provider counted meanwhile
 * @param wrongWarmUp wrong results before the load was measured
 * @param load getUser from many threads
 * @param actuator URL of the consumer's Actuator
 * @param providerActuator URL of the provider's Actuator
 * @param providerCommand starts another provider
 */
record Report(List<Answer> answers, String location, Endpoint endpoint, long calls, long providerCalls,
		long wrongWarmUp, Load load, String actuator, String providerActuator, List<String> providerCommand) {

	/**
	 * Fails unless every result was right and came from the provider.
	 * @throws IllegalStateException otherwise
	 */
	void requireRight() {
		long wrong = this.answers.stream().filter((answer) -> !answer.right()).count() + this.wrongWarmUp
				+ this.load.wrong();
		if (wrong > 0) {
			throw new IllegalStateException(
					"%d of %d calls failed or gave a wrong answer".formatted(wrong, this.calls));
		}
		if (this.location.isEmpty() || this.calls != this.providerCalls) {
			throw new IllegalStateException("The provider at '%s' counted %d calls, the consumer made %d"
				.formatted(this.location, this.providerCalls, this.calls));
		}
	}

	@Override
	public String toString() {
		return """

				%s

				Provider    %s, listens on %s
				Calls       the provider counted %,d, the consumer made %,d
				getUser     %s
				Dashboard   %srpcdashboard (consumer)
				            %srpcdashboard (provider)
				Actuator    %srpc
				            %shealth
				Prometheus  %sprometheus (consumer)
				            %sprometheus (provider)

				One more provider, from another terminal; it joins and takes its share:
				%s
				""".formatted(this.answers.stream().map(Answer::toString).collect(Collectors.joining("\n")),
				this.location, this.endpoint, this.providerCalls, this.calls, this.load, this.actuator,
				this.providerActuator, this.actuator, this.actuator, this.actuator, this.providerActuator,
				this.providerCommand.stream().map(Report::quote).collect(Collectors.joining(" ")));
	}

	private static String quote(String argument) {
		return argument.contains(" ") ? '"' + argument + '"' : argument;
	}

}
