package io.rpcboot.client;

import java.lang.reflect.Proxy;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.ServiceProxy.ProxyMethod;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.workload.UserService;

import static org.assertj.core.api.Assertions.assertThat;

/** How many calls may be under way when they end late. */
class CallLimitTests {

	private static final int MAX = 10_000;

	private static final long TIMEOUT_MILLIS = 1000;

	private static final ServiceDescriptor SERVICE = ServiceDescriptor.of(UserService.class);

	private static final MethodDescriptor METHOD = SERVICE.methods().get(0);

	private static final MethodCodec CODEC = new ProtostuffSerializer().codec(SERVICE).method(0);

	private static final ProxyMethod CALLED = new ProxyMethod(METHOD, METHOD.style(), CODEC, null,
			TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS), 0, METHOD.toString());

	private final AtomicLong clock = new AtomicLong(System.nanoTime());

	private final CallLimit limit = new CallLimit(MAX, nobody(), this.clock::get);

	private static ScheduledExecutorService nobody() {
		return (ScheduledExecutorService) Proxy.newProxyInstance(CallLimitTests.class.getClassLoader(),
				new Class<?>[] { ScheduledExecutorService.class }, (proxy, method, arguments) -> null);
	}

	private void pass(long millis) {
		this.clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
	}

	private ClientCall begins() {
		pass(1);
		assertThat(this.limit.room.tryAcquire()).isTrue();
		return new ClientCall(FrameType.REQUEST, null, CALLED, this.clock.get());
	}

	/** A call begins, and many others, and its end is late. */
	private ClientCall endsLate(int others, long lateMillis) {
		ClientCall call = begins();
		assertThat(this.limit.room.tryAcquire(others)).isTrue();
		pass(TIMEOUT_MILLIS + lateMillis);
		this.limit.ended(call);
		return call;
	}

	private void allEnd() {
		this.limit.leave(this.limit.pending());
		assertThat(this.limit.pending()).isZero();
	}

	@Test
	void callsThatEndInTimeLeaveTheLimitAsItIs() {
		endsLate(MAX - 1, 50);
		assertThat(this.limit.isReduced()).isFalse();
		assertThat(this.limit.most()).isEqualTo(MAX);
	}

	@Test
	void callsThatEndLateAreFewerFromThenOn() {
		ClientCall late = endsLate(MAX - 1, 100);
		assertThat(this.limit.most()).as("four fifths of those that ended in time").isEqualTo(4000);
		assertThat(this.limit.pending()).isEqualTo(MAX);
		assertThat(this.limit.isFull()).isTrue();
		pass(500);
		this.limit.ended(late);
		assertThat(this.limit.most()).as("others that began before say nothing").isEqualTo(4000);
		this.limit.leave(MAX - 4000);
		assertThat(this.limit.room.tryAcquire()).as("as many as may be are under way").isFalse();
		this.limit.leave(1);
		assertThat(this.limit.room.tryAcquire()).isTrue();
	}

	@Test
	void ofThoseThatBeganSinceOneThatIsLateReducesAgain() {
		endsLate(MAX - 1, 100);
		allEnd();
		endsLate(3999, 100);
		assertThat(this.limit.most()).isEqualTo(1600);
		allEnd();
		endsLate(1599, 10_000);
		assertThat(this.limit.most()).as("a quarter at least").isEqualTo(400);
		allEnd();
		for (int i = 0; i < 10; i++) {
			endsLate(1, 60_000);
			allEnd();
		}
		assertThat(this.limit.most()).as("a few are always allowed").isEqualTo(256);
	}

	@Test
	void callsThatEndInTimeMakeRoomForMore() {
		endsLate(MAX - 1, 100);
		allEnd();
		for (int i = 0; i < 8 * 5999; i++) {
			ClientCall call = begins();
			this.limit.leave(1);
			this.limit.ended(call);
		}
		assertThat(this.limit.most()).isEqualTo(MAX - 1);
		for (int i = 0; i < 100; i++) {
			ClientCall call = begins();
			this.limit.leave(1);
			this.limit.ended(call);
		}
		assertThat(this.limit.most()).isEqualTo(MAX);
		assertThat(this.limit.isReduced()).isFalse();
		assertThat(this.limit.room.availablePermits()).isEqualTo(MAX);
	}

	@Test
	void aSmallLimitIsNotRaised() {
		CallLimit small = new CallLimit(10, nobody(), this.clock::get);
		pass(1);
		ClientCall call = new ClientCall(FrameType.REQUEST, null, CALLED, this.clock.get());
		pass(10 * TIMEOUT_MILLIS);
		small.ended(call);
		assertThat(small.most()).isEqualTo(10);
	}

}
