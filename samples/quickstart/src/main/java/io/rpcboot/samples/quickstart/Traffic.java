package io.rpcboot.samples.quickstart;

import java.io.PrintStream;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.client.RpcClient;
import io.rpcboot.samples.quickstart.consumer.UserCalls;

/**
 * Makes one call at a time. Prints a line when the set of providers changes, and for the
 * begin and end of a series of failures.
 */
final class Traffic {

	private final UserCalls users;

	private final RpcClient client;

	private final PrintStream out;

	private Set<String> providers = Set.of();

	private long calls;

	private long failures;

	Traffic(UserCalls users, RpcClient client, PrintStream out) {
		this.users = users;
		this.client = client;
		this.out = out;
	}

	void call() {
		String failure = failure();
		if (!failure.isEmpty() && this.failures++ == 0) {
			this.out.println("getUser: " + failure);
		}
		if (failure.isEmpty() && this.failures > 0) {
			this.out.println("getUser: right again after %d failures".formatted(this.failures));
			this.failures = 0;
		}
		Set<String> now = providers();
		if (!now.equals(this.providers)) {
			this.out.println("Providers that take the 10 calls a second: " + now);
			this.providers = now;
		}
	}

	private String failure() {
		try {
			return this.users.getUser(this.calls++) ? "" : "wrong answer";
		}
		catch (RuntimeException ex) {
			return String.valueOf(ex.getMessage());
		}
	}

	private Set<String> providers() {
		return this.client.references()
			.stream()
			.flatMap((reference) -> reference.instances().stream())
			.filter((instance) -> instance.state() == State.READY)
			.map(ReferenceInfo.Instance::endpoint)
			.map(String::valueOf)
			.collect(Collectors.toCollection(TreeSet::new));
	}

}
