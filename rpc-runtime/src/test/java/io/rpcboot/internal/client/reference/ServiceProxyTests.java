package io.rpcboot.internal.client.reference;

import java.lang.reflect.Proxy;
import java.util.concurrent.ScheduledExecutorService;

import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.internal.client.fixture.HandDrivenClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Calls that cannot be handed on: whatever is thrown, each leaves exactly once. */
class ServiceProxyTests {

	private static final int MAX = 10;

	/**
	 * A control thread without memory.
	 * @param runs whether it runs what it is given all the same
	 */
	private static ScheduledExecutorService failing(boolean runs) {
		return (ScheduledExecutorService) Proxy.newProxyInstance(ServiceProxyTests.class.getClassLoader(),
				new Class<?>[] { ScheduledExecutorService.class }, (proxy, method, arguments) -> {
					if (!method.getName().equals("execute")) {
						return null;
					}
					if (runs) {
						((Runnable) arguments[0]).run();
					}
					throw new OutOfMemoryError("injected");
				});
	}

	private static void assertNoneIsUnderWay(HandDrivenClient client) {
		assertThat(client.limit.pending()).isZero();
		assertThat(client.limit.room.availablePermits()).isEqualTo(MAX);
		assertThat(client.limit.queued()).isZero();
	}

	@ParameterizedTest
	@EnumSource(value = Style.class, names = "STREAM", mode = EnumSource.Mode.EXCLUDE)
	void undispatchedCall_releasesItsPermit(Style style) {
		HandDrivenClient client = new HandDrivenClient(MAX, style, failing(false));
		assertThatThrownBy(client::invoke).isInstanceOf(OutOfMemoryError.class).hasMessage("injected");
		assertNoneIsUnderWay(client);
	}

	/** Of a blocking call nobody else waits for the end. */
	@ParameterizedTest
	@EnumSource(value = Style.class, names = { "FUTURE", "STREAM" }, mode = EnumSource.Mode.EXCLUDE)
	void endedCall_releasesPermitOnce_whenDispatchFails(Style style) {
		HandDrivenClient client = new HandDrivenClient(MAX, style, failing(true));
		client.directory.close(); // ends what it is given
		assertThatThrownBy(client::invoke).isInstanceOf(OutOfMemoryError.class).hasMessage("injected");
		assertNoneIsUnderWay(client);
	}

	@Test
	void waitingCall_releasesPermit_whenDispatchFailsAfterAdmission() {
		HandDrivenClient client = new HandDrivenClient(MAX, Style.ONE_WAY, failing(false));
		assertThat(client.limit.room.tryAcquire(MAX)).isTrue();
		assertThat(client.limit.queue().add(client.oneWayCall())).isTrue();
		client.limit.leave(1);
		assertThat(client.runtime.counts().lostOneWays()).isEqualTo(1);
		client.limit.leave(MAX - 1);
		assertNoneIsUnderWay(client);
	}

}
