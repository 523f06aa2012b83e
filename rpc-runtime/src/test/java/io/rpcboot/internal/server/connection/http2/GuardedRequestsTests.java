package io.rpcboot.internal.server.connection.http2;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.server.grpc.StreamHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Requests that wait for a check of credentials. */
class GuardedRequestsTests {

	/** Events in their order. */
	private final List<String> events = new ArrayList<>();

	private final GuardedRequests requests = new GuardedRequests(new StreamHandler.Responses() {

		@Override
		public void send(byte[] message) {
			throw new AssertionError("sent " + message.length);
		}

		@Override
		public void close(RpcStatus status, String message) {
			GuardedRequestsTests.this.events.add("closed: " + status);
		}

		@Override
		public void messagesTaken() {
			GuardedRequestsTests.this.events.add("taken");
		}

	});

	private final class Recorded implements StreamHandler.Requests {

		@Override
		public void onMessage(byte[] bytes, int offset, int length) {
			GuardedRequestsTests.this.events.add(new String(bytes, offset, length, StandardCharsets.US_ASCII));
		}

		@Override
		public void onHalfClose() {
			GuardedRequestsTests.this.events.add("half closed");
		}

		@Override
		public void onEnd() {
			GuardedRequestsTests.this.events.add("ended");
		}

	}

	private void message(String text) {
		byte[] bytes = ("--" + text).getBytes(StandardCharsets.US_ASCII);
		this.requests.onMessage(bytes, 2, text.length());
	}

	private void permit() {
		this.requests.permit((responses) -> new Recorded());
	}

	@Test
	void messages_areKept_untilCallerIsPermitted() {
		message("a");
		message("b");
		this.requests.onHalfClose();
		assertThat(this.requests.keepsMessages()).isTrue();
		permit();
		assertThat(this.requests.keepsMessages()).isFalse();
		message("c");
		this.requests.onEnd();
		assertThat(this.events).containsExactly("a", "b", "half closed", "taken", "c", "ended");
	}

	@Test
	void messages_ofPermittedCaller_areNotKept() {
		permit();
		message("a");
		assertThat(this.requests.keepsMessages()).isFalse();
		assertThat(this.events).containsExactly("a");
	}

	@ParameterizedTest
	@ValueSource(strings = { "ended", "refused", "too many" })
	void messages_areDropped_withCall(String why) {
		message("a");
		switch (why) {
			case "ended" -> this.requests.onEnd();
			case "refused" -> this.requests.refuse(RpcStatus.PERMISSION_DENIED, "no");
			default -> {
				for (int i = 0; i < 16; i++) {
					message("more");
				}
			}
		}
		assertThat(this.requests.keepsMessages()).isFalse();
		permit();
		message("late");
		assertThat(this.requests.keepsMessages()).isFalse();
		this.requests.refuse(RpcStatus.PERMISSION_DENIED, "again");
		assertThat(this.events).isEqualTo(switch (why) {
			case "ended" -> List.of();
			case "refused" -> List.of("closed: PERMISSION_DENIED");
			default -> List.of("closed: RESOURCE_EXHAUSTED");
		});
	}

}
