package io.rpcboot.internal.transport.connection;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.rpcboot.Side;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.context.RpcConnection;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.RpcConnectionListener;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ConnectionNotifierTests {

	private final Queue<Runnable> tasks = new ArrayDeque<>();

	private final List<String> told = new ArrayList<>();

	private final class Recording implements RpcConnectionListener {

		private final String name;

		Recording(String name) {
			this.name = name;
		}

		@Override
		public void connected(RpcConnection connection) {
			ConnectionNotifierTests.this.told.add(this.name + " connected " + connection);
		}

		@Override
		public void closed(RpcConnection connection, String reason) {
			ConnectionNotifierTests.this.told.add(this.name + " closed " + reason);
		}

	}

	private ConnectionNotifier connected(RpcConnectionListener... listeners) {
		return ConnectionNotifier.connected(List.of(listeners), this.tasks::add, Side.SERVER, Protocol.GRPC,
				"10.0.0.1:4711", "shop", CallerIdentity.anonymous());
	}

	private void runTasks() {
		for (Runnable task = this.tasks.poll(); task != null; task = this.tasks.poll()) {
			task.run();
		}
	}

	@Test
	void notifier_schedulesNoTask_withoutListeners() {
		connected().closed("by nobody");
		assertThat(this.tasks).isEmpty();
	}

	@Test
	void listeners_areNotifiedInOrder() {
		ConnectionNotifier connection = connected(new Recording("a"), new Recording("b"));
		assertThat(this.told).isEmpty();
		runTasks();
		connection.closed("it was time");
		assertThat(this.told).hasSize(2);
		runTasks();
		assertThat(this.told).containsExactly("a connected shop at 10.0.0.1:4711", "b connected shop at 10.0.0.1:4711",
				"a closed it was time", "b closed it was time");
	}

	@Test
	void closed_isReported_afterConnected() {
		ConnectionNotifier connection = connected(new Recording("a"));
		connection.closed("at once");
		assertThat(this.tasks).hasSize(1);
		runTasks();
		assertThat(this.told).containsExactly("a connected shop at 10.0.0.1:4711", "a closed at once");
	}

	@Test
	void closed_isReported_afterAllListenersSawConnected() {
		List<ConnectionNotifier> opened = new ArrayList<>();
		RpcConnectionListener busy = new RpcConnectionListener() {
			@Override
			public void connected(RpcConnection connection) {
				opened.get(0).closed("meanwhile");
			}
		};
		opened.add(connected(busy, new Recording("b")));
		runTasks();
		assertThat(this.told).containsExactly("b connected shop at 10.0.0.1:4711", "b closed meanwhile");
	}

	@Test
	void failingListener_isLoggedAndOthersAreNotified() {
		RpcConnectionListener bad = new RpcConnectionListener() {
			@Override
			public void connected(RpcConnection connection) {
				throw new AssertionError("bad");
			}

			@Override
			public void closed(RpcConnection connection, String reason) {
				throw new IllegalStateException("worse");
			}
		};
		try (LogRecorder log = new LogRecorder("rpc.transport")) {
			ConnectionNotifier connection = connected(bad, new Recording("b"));
			runTasks();
			connection.closed("why");
			runTasks();
			assertThat(this.told).containsExactly("b connected shop at 10.0.0.1:4711", "b closed why");
			assertThat(log.messages()).hasSize(2)
				.allMatch((message) -> message.startsWith("Connection listener " + bad.getClass().getName()));
		}
	}

	@Test
	void attributes_areKept_untilClosed() {
		RpcConnectionListener keeper = new RpcConnectionListener() {
			@Override
			public void connected(RpcConnection connection) {
				connection.attributes().put("user", "Doug");
			}

			@Override
			public void closed(RpcConnection connection, String reason) {
				ConnectionNotifierTests.this.told.add(String.valueOf(connection.attributes().get("user")));
			}
		};
		ConnectionNotifier connection = connected(keeper);
		connection.closed("");
		runTasks();
		assertThat(this.told).containsExactly("Doug");
		assertThat(connection.side()).isEqualTo(Side.SERVER);
	}

	@Test
	void listener_runsOutsideEventLoop_withDirectExecutor() throws Exception {
		CompletableFuture<Thread> teller = new CompletableFuture<>();
		RpcConnectionListener listener = new RpcConnectionListener() {
			@Override
			public void connected(RpcConnection connection) {
				teller.complete(Thread.currentThread());
			}
		};
		Thread loop = new EventLoopThread(() -> ConnectionNotifier.connected(List.of(listener), Runnable::run,
				Side.CLIENT, Protocol.NATIVE, "", "", CallerIdentity.anonymous()), "loop");
		loop.start();
		assertThat(teller.get(20, TimeUnit.SECONDS)).isNotInstanceOf(EventLoopThread.class);
		loop.join();
	}

}
