package io.rpcboot.internal.transport.eventloop;

import java.util.Map;
import java.util.function.Function;

import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.internal.transport.eventloop.TransportType.State;
import io.rpcboot.transport.EventLoopOptions.Transport;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class TransportTypeTests {

	private static final State USABLE = new State(null, "4.2.9", "4.2.9");

	private static final State UNVERSIONED = new State(null, "4.2.9", "");

	private static final State MIXED = new State(null, "4.2.9", "4.2.1");

	private static final State ABSENT = new State(new NoClassDefFoundError("io/netty/x"), "4.2.9", "");

	private static final State BROKEN = new State(new UnsatisfiedLinkError("no library for plan9"), "4.2.9", "4.2.9");

	@Test
	void auto_prefersEpollThenKqueueThenNio() {
		assertThat(auto(USABLE, USABLE)).isEqualTo(TransportType.EPOLL);
		assertThat(auto(UNVERSIONED, USABLE)).isEqualTo(TransportType.EPOLL);
		assertThat(auto(ABSENT, USABLE)).isEqualTo(TransportType.KQUEUE);
		assertThat(auto(BROKEN, ABSENT)).isEqualTo(TransportType.NIO);
	}

	@Test
	void auto_neverChoosesIoUring() {
		assertThat(TransportType.choose(Transport.AUTO,
				Map.of(TransportType.EPOLL, ABSENT, TransportType.KQUEUE, ABSENT, TransportType.IO_URING, USABLE)::get))
			.isEqualTo(TransportType.NIO);
	}

	@Test
	void auto_logsBothVersions_whenNettyVersionsDiffer() {
		try (LogRecorder log = new LogRecorder("rpc.transport")) {
			assertThat(auto(MIXED, ABSENT)).isEqualTo(TransportType.NIO);
			assertThat(log.messages()).containsExactly(
					"Using NIO instead of epoll: its library is of Netty 4.2.1, the classes are of Netty 4.2.9");
		}
	}

	@Test
	void auto_logsNothing_whenNativeTransportIsAbsent() {
		try (LogRecorder log = new LogRecorder("rpc.transport")) {
			auto(ABSENT, BROKEN);
			assertThat(log.messages()).isEmpty();
		}
	}

	@Test
	void namedTransport_isChosen_whenAvailable() {
		Function<TransportType, State> states = (any) -> USABLE;
		assertThat(TransportType.choose(Transport.EPOLL, states)).isEqualTo(TransportType.EPOLL);
		assertThat(TransportType.choose(Transport.KQUEUE, states)).isEqualTo(TransportType.KQUEUE);
		assertThat(TransportType.choose(Transport.IO_URING, states)).isEqualTo(TransportType.IO_URING);
		assertThat(TransportType.choose(Transport.NIO, (any) -> BROKEN)).isEqualTo(TransportType.NIO);
	}

	@Test
	void namedTransport_isRejected_whenUnavailable() {
		refused(Transport.EPOLL, MIXED, "epoll",
				"epoll does not: its library is of Netty 4.2.1, the classes are of Netty 4.2.9");
		refused(Transport.KQUEUE, ABSENT, "kqueue", "kqueue does not: its classes are not on the class path");
		refused(Transport.IO_URING, BROKEN, "io_uring", "io_uring does not: no library for plan9");
	}

	private static void refused(Transport wanted, State state, String text, String why) {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> TransportType.choose(wanted, (any) -> state))
			.withMessage("event-loop.transport: %s (expected: a transport that works here; %s)".formatted(text, why))
			.satisfies((ex) -> assertThat(ex.name()).isEqualTo("event-loop.transport"))
			.satisfies((ex) -> assertThat(ex.action()).isEqualTo(
					"Set event-loop.transport to auto or nio, or add io.netty:netty-transport-native-%s".formatted(text)
							+ " of version 4.2.9 with the classifier of this platform."));
	}

	@Test
	@DisabledOnOs({ OS.MAC, OS.FREEBSD, OS.OPENBSD })
	void kqueue_isRejected_onThisPlatform() {
		assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(() -> TransportType.choose(Transport.KQUEUE))
			.withMessageStartingWith("event-loop.transport: kqueue (expected:");
	}

	private static TransportType auto(State epoll, State kqueue) {
		return TransportType.choose(Transport.AUTO,
				Map.of(TransportType.EPOLL, epoll, TransportType.KQUEUE, kqueue)::get);
	}

}
