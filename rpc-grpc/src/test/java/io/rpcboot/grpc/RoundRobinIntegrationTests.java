package io.rpcboot.grpc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.TestServiceGrpc;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Clients of grpc-java with {@code round_robin}, while one of their servers is replaced,
 * killed or stands still: only calls that it may have run fail.
 */
@Timeout(120)
class RoundRobinIntegrationTests {

	private static final int CALLERS = 8;

	/** Calls that show that all is well. */
	private static final int SOME = 200;

	private final List<RpcServer> servers = new ArrayList<>();

	private final List<AutoCloseable> opened = new ArrayList<>();

	private final AtomicLong answers = new AtomicLong();

	private final AtomicLong answersOfProcess = new AtomicLong();

	private final Queue<Status> failures = new ConcurrentLinkedQueue<>();

	private final List<Thread> callers = new ArrayList<>();

	private volatile boolean stopped;

	@AfterEach
	void close() throws Exception {
		this.stopped = true;
		for (AutoCloseable each : this.opened) {
			each.close();
		}
		this.servers.forEach(RpcServer::close);
	}

	private <T extends AutoCloseable> T closing(T opening) {
		this.opened.add(0, opening);
		return opening;
	}

	private RpcServer serve() {
		RpcServer server = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.grpcService(BindableServices.of(EchoService.plain().bindService()), ServiceOptions.defaults())
			.start();
		this.servers.add(server);
		return server;
	}

	private static void until(String what, BooleanSupplier condition) {
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
		while (!condition.getAsBoolean()) {
			assertThat(System.nanoTime()).as(what).isLessThan(deadline);
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
		}
	}

	/** Calls over and over. */
	private void call(ServerAddresses addresses, Duration timeout) {
		ManagedChannel channel = addresses.channel();
		closing(channel::shutdownNow);
		for (int i = 0; i < CALLERS; i++) {
			Thread caller = new Thread(() -> callUntilStopped(channel, timeout));
			this.callers.add(caller);
			caller.start();
		}
	}

	private void callUntilStopped(ManagedChannel channel, Duration timeout) {
		TestServiceGrpc.TestServiceBlockingStub stub = TestServiceGrpc.newBlockingStub(channel);
		while (!this.stopped) {
			try {
				SimpleResponse response = stub.withDeadlineAfter(timeout).unaryCall(SimpleRequest.getDefaultInstance());
				this.answers.incrementAndGet();
				if (response.getUsername().equals(EchoProcess.NAME)) {
					this.answersOfProcess.incrementAndGet();
				}
			}
			catch (StatusRuntimeException ex) {
				this.failures.add(ex.getStatus());
			}
		}
	}

	private void stop() throws InterruptedException {
		this.stopped = true;
		for (Thread each : this.callers) {
			each.join();
		}
	}

	private void awaitMore(int calls) {
		long enough = this.answers.get() + calls;
		until(calls + " more calls are answered", () -> this.answers.get() >= enough);
	}

	private void awaitMoreOfProcess() {
		long enough = this.answersOfProcess.get() + SOME;
		until("the process answers", () -> this.answersOfProcess.get() >= enough);
	}

	@Test
	void noCallFails_whileServersAreReplaced() throws Exception {
		serve();
		serve();
		ServerAddresses addresses = closing(new ServerAddresses(ports()));
		call(addresses, Duration.ofSeconds(30));
		for (int i = 0; i < 4; i++) {
			awaitMore(SOME);
			serve();
			RpcServer leaving = this.servers.remove(0);
			addresses.set(ports());
			assertThat(leaving.shutdown(Duration.ofSeconds(20)).cutCalls()).isZero();
		}
		awaitMore(SOME);
		stop();
		assertThat(this.failures).isEmpty();
	}

	/** The client learns of the end by GOAWAY alone. */
	@Test
	void noCallFails_whileServerEnds_thatIsStillListed() throws Exception {
		serve();
		serve();
		serve();
		ServerAddresses addresses = closing(new ServerAddresses(ports()));
		call(addresses, Duration.ofSeconds(30));
		while (this.servers.size() > 1) {
			awaitMore(SOME);
			assertThat(this.servers.remove(0).shutdown(Duration.ofSeconds(20)).cutCalls()).isZero();
		}
		awaitMore(SOME);
		stop();
		assertThat(this.failures).isEmpty();
	}

	private int[] ports() {
		return this.servers.stream().mapToInt(RpcServer::port).toArray();
	}

	@Test
	void onlyCallsUnderWay_fail_whenServerIsKilled() throws Exception {
		EchoProcess victim = closing(new EchoProcess());
		call(closing(new ServerAddresses(victim.port, serve().port(), serve().port())), Duration.ofSeconds(30));
		awaitMoreOfProcess();
		victim.signal("KILL");
		awaitMore(5 * SOME);
		stop();
		assertThat(this.failures).hasSizeLessThanOrEqualTo(CALLERS)
			.extracting(Status::getCode)
			.allMatch((each) -> each == Status.Code.UNAVAILABLE);
	}

	@Test
	void onlyCallsAtServer_fail_whileItStandsStill() throws Exception {
		EchoProcess frozen = closing(new EchoProcess());
		call(closing(new ServerAddresses(frozen.port, serve().port(), serve().port())), Duration.ofMillis(400));
		awaitMoreOfProcess();
		frozen.signal("STOP");
		until("its calls have timed out", () -> this.failures.size() >= 3 * CALLERS);
		frozen.signal("CONT");
		awaitMoreOfProcess();
		until("all is well again", () -> {
			int failed = this.failures.size();
			awaitMore(5 * SOME);
			return this.failures.size() == failed;
		});
		stop();
		assertThat(this.failures).extracting(Status::getCode).containsOnly(Status.Code.DEADLINE_EXCEEDED);
	}

}
