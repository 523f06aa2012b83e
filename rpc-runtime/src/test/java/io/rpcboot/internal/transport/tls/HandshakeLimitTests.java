package io.rpcboot.internal.transport.tls;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.rpcboot.internal.transport.tls.HandshakeLimit.Place;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class HandshakeLimitTests {

	private final List<String> begun = new ArrayList<>();

	private final List<String> lost = new ArrayList<>();

	private final Queue<Runnable> computations = new ArrayDeque<>();

	private final Map<String, Place> places = new HashMap<>();

	private final EmbeddedChannel loop = new EmbeddedChannel();

	private long now;

	private HandshakeLimit limit = new HandshakeLimit(2, this.computations::add, () -> this.now);

	@AfterEach
	void close() {
		this.loop.finishAndReleaseAll();
	}

	/** Enters handshakes of one network. */
	private void enter(String... names) {
		enterFrom("10.0.0.1", names);
	}

	private void enterFrom(String network, String... names) {
		for (String name : names) {
			this.places.put(name, this.limit.enter(network, this.loop.eventLoop(), (place) -> this.begun.add(name),
					(reason) -> this.lost.add(name + ": " + reason)));
		}
	}

	/** The looks of the limit happen each 50 ms. */
	private void pass(long millis) {
		for (long i = 0; i < millis; i += 50) {
			this.now += TimeUnit.MILLISECONDS.toNanos(50);
			this.loop.advanceTimeBy(50, TimeUnit.MILLISECONDS);
			this.loop.runPendingTasks();
		}
	}

	@Test
	void handshakes_waitForPlaces_inOrder() {
		enter("a", "b", "c", "d");
		assertThat(this.begun).containsExactly("a", "b");
		this.places.get("b").leave();
		this.places.get("b").leave();
		assertThat(this.begun).containsExactly("a", "b", "c");
		this.places.get("a").leave();
		assertThat(this.begun).containsExactly("a", "b", "c", "d");
		assertThat(this.lost).isEmpty();
	}

	@Test
	void handshake_leavesTheLine() {
		enter("a", "b", "c", "d");
		this.places.get("c").leave();
		this.places.get("a").leave();
		assertThat(this.begun).containsExactly("a", "b", "d");
	}

	@Test
	void networks_takeTurns() {
		enter("a1", "a2", "a3", "a4", "a5");
		enterFrom("10.0.0.2", "b1", "b2");
		enterFrom("10.0.0.3", "c1");
		for (String each : List.of("a1", "a2", "a3", "b1", "c1", "a4", "b2", "a5")) {
			this.places.get(each).leave();
		}
		assertThat(this.begun).containsExactly("a1", "a2", "a3", "b1", "c1", "a4", "b2", "a5");
		enterFrom("10.0.0.2", "b3");
		assertThat(this.begun).as("no network is kept after its last handshake").endsWith("b3");
	}

	@Test
	void handshake_thatLeavesTheLine_isNoTurn() {
		enter("a1", "a2", "a3", "a4");
		enterFrom("10.0.0.2", "b1");
		this.places.get("b1").leave();
		this.places.get("a1").leave();
		this.places.get("a2").leave();
		assertThat(this.begun).containsExactly("a1", "a2", "a3", "a4");
	}

	@Test
	void silentClients_loseTheirPlaces_whileOthersWait() {
		enter("a");
		pass(100);
		enter("b", "c", "d");
		pass(100);
		assertThat(this.lost).isEmpty();
		pass(50);
		assertThat(this.begun).containsExactly("a", "b", "c");
		assertThat(this.lost).singleElement()
			.asString()
			.startsWith("a: rpc.server.limits.tls-handshakes: all 2 places are taken");
		pass(100);
		assertThat(this.begun).containsExactly("a", "b", "c", "d");
		this.places.get("a").leave();
		assertThat(this.lost).as("a has no place to leave, and nothing waits").hasSize(2);
		enter("e");
		assertThat(this.begun).doesNotContain("e");
	}

	@Test
	void silentClients_keepTheirPlaces_whileNoneWaits() {
		enter("a", "b");
		pass(10_000);
		assertThat(this.lost).isEmpty();
		enter("c");
		assertThat(this.begun).as("it waits for nothing").containsExactly("a", "b", "c");
	}

	/** A distant client answers late, and is no flood. */
	@Test
	void networkWithMostPlaces_losesOneFirst() {
		this.limit = new HandshakeLimit(4, this.computations::add, () -> this.now);
		enterFrom("10.9.9.9", "far");
		enter("a1", "a2", "a3");
		enterFrom("10.0.0.2", "b1", "b2");
		pass(250);
		assertThat(this.lost).extracting((each) -> each.substring(0, 2)).containsExactly("a1", "a2");
		assertThat(this.begun).containsExactly("far", "a1", "a2", "a3", "b1", "b2");
		this.places.get("far").leave();
		enterFrom("10.0.0.3", "c1", "c2");
		assertThat(this.lost).as("the only silent one").hasSize(3).last().asString().startsWith("a3");
	}

	/** Clients do not pay for a server that computes slowly. */
	@Test
	void computations_doNotCountAsSilence() {
		enter("a", "b");
		this.places.get("a").execute(() -> this.begun.add("computed"));
		this.places.get("b").execute(() -> this.begun.add("computed"));
		enter("c");
		pass(10_000);
		assertThat(this.lost).isEmpty();
		this.computations.remove().run();
		pass(200);
		assertThat(this.lost).isEmpty();
		pass(50);
		assertThat(this.begun).containsExactly("a", "b", "computed", "c");
		assertThat(this.lost).hasSize(1).first().asString().startsWith("a: ");
	}

	/** Else clients that come and go would let computations wait without a bound. */
	@Test
	void failedHandshake_keepsItsPlace_untilItsComputationIsSkipped() {
		enter("a", "b", "c", "d");
		this.places.get("a").execute(() -> this.begun.add("computed a"));
		this.places.get("b").execute(() -> this.begun.add("computed b"));
		this.places.get("a").abandon();
		this.places.get("a").abandon();
		pass(1000);
		assertThat(this.begun).as("no place is free").containsExactly("a", "b");
		assertThat(this.lost).isEmpty();
		this.computations.remove().run();
		assertThat(this.begun).containsExactly("a", "b", "c");
		this.computations.remove().run();
		assertThat(this.begun).containsExactly("a", "b", "c", "computed b");
		this.places.get("b").abandon();
		assertThat(this.begun).endsWith("d");
	}

	@Test
	void failedHandshake_ofManyComputations_leavesOnce() {
		enter("a", "b", "c", "d");
		this.places.get("a").execute(() -> this.begun.add("first"));
		this.places.get("a").execute(() -> this.begun.add("second"));
		this.places.get("a").abandon();
		this.computations.remove().run();
		assertThat(this.begun).containsExactly("a", "b");
		this.computations.remove().run();
		assertThat(this.begun).containsExactly("a", "b", "c");
	}

	@Test
	void handshakeThatFailsInTheLine_leavesIt() {
		enter("a", "b", "c", "d");
		this.places.get("c").abandon();
		this.places.get("a").abandon();
		assertThat(this.begun).containsExactly("a", "b", "d");
	}

	@Test
	void refusedComputation_keepsNoPlace() {
		HandshakeLimit ending = new HandshakeLimit(1, (task) -> {
			throw new RejectedExecutionException();
		}, () -> this.now);
		Place place = ending.enter("10.0.0.1", this.loop.eventLoop(), (own) -> this.begun.add("a"), this.lost::add);
		assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> place.execute(() -> {
		}));
		ending.enter("10.0.0.1", this.loop.eventLoop(), (own) -> this.begun.add("b"), this.lost::add);
		place.abandon();
		assertThat(this.begun).containsExactly("a", "b");
	}

	@Test
	void lateComputation_takesNoPlace() {
		enter("a", "b", "c");
		this.places.get("a").execute(() -> {
		});
		this.places.get("a").leave();
		this.computations.remove().run();
		this.places.get("b").leave();
		this.places.get("c").leave();
		enter("d", "e", "f");
		assertThat(this.begun).containsExactly("a", "b", "c", "d", "e");
	}

	/** It is displaced while its loop sees it succeed. */
	@Test
	void completeHandshake_isNotRefused() {
		TlsHandshake complete = TlsHandshake.ofServer(this.lost::add);
		EmbeddedChannel channel = new EmbeddedChannel(complete);
		channel.pipeline().fireUserEventTriggered(SslHandshakeCompletionEvent.SUCCESS);
		complete.refuse("late");
		assertThat(this.lost).isEmpty();
		channel.finishAndReleaseAll();
	}

	@Test
	void handshake_isRefusedOnce() {
		TlsHandshake handshake = TlsHandshake.ofServer(this.lost::add);
		handshake.refuse("first");
		handshake.refuse("second");
		assertThat(this.lost).containsExactly("first");
	}

}
