package io.rpcboot.server;

import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import io.rpcboot.engine.LogRecorder;

import static org.assertj.core.api.Assertions.assertThat;

/** What is said of calls that fail when nobody waits for them any more. */
class ServerFailuresTests {

	private final HandDrivenServer server = new HandDrivenServer(4096, "result");

	private ServerCall cancelledCall() {
		ServerCall call = this.server.newCall(TimeUnit.SECONDS.toNanos(10));
		call.cancelled = true;
		return call;
	}

	@Test
	void aFailureAfterTheCallerHasGivenUpIsLogged() {
		try (LogRecorder log = new LogRecorder(HandDrivenServer.class.getName())) {
			ServerFailures.thrown(cancelledCall(), new IllegalStateException("the database is away"));
			assertThat(log.messages())
				.containsExactly("Undeclared exception: " + HandDrivenServer.Archive.class.getName() + ".fetch()");
		}
	}

	@Test
	void theEndOfACancelledFutureIsNot() {
		try (LogRecorder log = new LogRecorder(HandDrivenServer.class.getName())) {
			ServerFailures.thrown(cancelledCall(), new CancellationException());
			assertThat(log.messages()).isEmpty();
		}
	}

}
