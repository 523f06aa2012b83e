package io.rpcboot.internal.client.connection.binary;

import java.util.Arrays;
import java.util.List;

import io.rpcboot.Endpoint;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.internal.client.fixture.HandDrivenClient;
import io.rpcboot.internal.client.pool.ConnectionPool;
import io.rpcboot.internal.client.pool.PoolKey;
import io.rpcboot.internal.client.pool.PooledConnection;
import io.rpcboot.internal.client.routing.BroadcastTarget;
import io.rpcboot.internal.client.routing.CandidateSet;
import io.rpcboot.internal.client.routing.RoutingTable;
import io.rpcboot.internal.client.security.ConnectionSecurity;
import io.rpcboot.internal.protocol.binary.Window;
import io.rpcboot.internal.transport.fixture.HandDrivenConnection;
import io.rpcboot.transport.BatchingOptions;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Those who let a call wait against connections that look for one: no wake-up is lost, so
 * every call is sent. No timer and no sweep looks again. What a loop has to do when both
 * actors are done, the arbiter does.
 */
public class CallPullerStress {

	private static final long ENOUGH_BYTES = 1 << 20;

	/** A reference with connections to one endpoint. */
	abstract static class Race {

		private static final ReferenceInfo.Instance READY = new ReferenceInfo.Instance(Link.ENDPOINT, "", "",
				ReferenceInfo.State.READY, 1, 0, "");

		final HandDrivenClient client = new HandDrivenClient(4);

		final List<ClientCall> calls = this.client.calls(3);

		private final Link[] links;

		Race(int connections) {
			this.links = new Link[connections];
			Arrays.setAll(this.links, (i) -> new Link(this.client));
			ClientConnection[] all = Arrays.stream(this.links)
				.map((link) -> link.calls)
				.toArray(ClientConnection[]::new);
			this.client.proxy.ready = new RoutingTable(CandidateSet.NONE, new ClientConnection[][] { all }, null, true);
			this.client.directory.broadcastTargets().update(List.of(new BroadcastTarget(READY, all)));
		}

		final Link link(int index) {
			return this.links[index];
		}

		final void add() {
			this.calls.forEach(this.client.proxy.queue::add);
		}

		final void judge(L_Result result) {
			boolean any = true;
			while (any) {
				any = false;
				for (Link link : this.links) {
					any |= link.run();
				}
			}
			long sent = this.calls.stream().filter((call) -> call.state == ClientCall.SENT).count();
			long pending = Arrays.stream(this.links).mapToLong((link) -> link.calls.pending.size()).sum();
			int size = this.client.proxy.queue.size();
			boolean right = sent == this.calls.size() && pending == sent && size == 0;
			result.r1 = right ? "right" : "sent %d, pending %d, waiting %d".formatted(sent, pending, size);
			for (Link link : this.links) {
				link.close();
			}
		}

	}

	/** A connection, whose loop is the thread that calls. */
	private static final class Link {

		static final Endpoint ENDPOINT = new Endpoint("127.0.0.1", 1);

		private final HandDrivenConnection connection;

		private BinaryClientConnection calls;

		Link(HandDrivenClient client) {
			ConnectionPool pool = new ConnectionPool(PoolKey.of(ENDPOINT, BatchingOptions.defaults()), client.runtime,
					new BinaryClientProtocol(client.runtime, ConnectionSecurity.NONE));
			this.connection = new HandDrivenConnection((opened) -> {
				this.calls = (BinaryClientConnection) new PooledConnection(opened, pool, client.runtime).connection;
				return this.calls;
			});
			this.calls.pullFrom(List.of(client.proxy.queue));
			this.calls.connection.queue().pull();
			run();
		}

		/** The server grants so many calls in all. */
		void grant(long calls, long bytes) {
			this.connection.adopt();
			this.calls.onWindow(0, Window.MANY, calls, Window.encode(bytes));
		}

		void lookForCalls() {
			this.connection.adopt();
			this.calls.connection.queue().pull();
			run();
		}

		boolean run() {
			this.connection.adopt();
			return this.connection.runTasks();
		}

		void close() {
			this.connection.adopt();
			this.connection.close();
		}

	}

	/** It says again and again that it is full, and that it is not. */
	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "each call was sent")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a wake-up was lost")
	@State
	public static class AddAgainstGrants extends Race {

		public AddAgainstGrants() {
			super(1);
		}

		@Actor
		public void caller() {
			add();
		}

		@Actor
		public void loop() {
			for (int granted = 1; granted <= 3; granted++) {
				link(0).grant(granted, ENOUGH_BYTES);
				link(0).run();
			}
		}

		@Arbiter
		public void judged(L_Result result) {
			judge(result);
		}

	}

	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "each call was sent")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a wake-up was lost")
	@State
	public static class AddAgainstFindingNone extends Race {

		public AddAgainstFindingNone() {
			super(1);
			link(0).grant(3, ENOUGH_BYTES);
			link(0).run();
		}

		@Actor
		public void caller() {
			add();
		}

		@Actor
		public void loop() {
			link(0).lookForCalls();
			link(0).lookForCalls();
		}

		@Arbiter
		public void judged(L_Result result) {
			judge(result);
		}

	}

	/** One takes a call and has no bytes for it, another has found none meanwhile. */
	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "each call was sent")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a wake-up was lost")
	@State
	public static class GiveBackAgainstFindingNone extends Race {

		public GiveBackAgainstFindingNone() {
			super(2);
			link(0).grant(3, 0);
			link(0).run();
			link(1).grant(3, ENOUGH_BYTES);
			link(1).run();
			for (ClientCall call : this.calls) {
				this.client.proxy.queue.both().get(0).add(call, Integer.MAX_VALUE);
			}
		}

		@Actor
		public void withoutBytes() {
			link(0).lookForCalls();
		}

		@Actor
		public void withBytes() {
			link(1).lookForCalls();
		}

		@Arbiter
		public void judged(L_Result result) {
			judge(result);
		}

	}

}
