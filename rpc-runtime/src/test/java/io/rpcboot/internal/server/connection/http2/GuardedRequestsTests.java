package io.rpcboot.internal.server.connection.http2;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.builtin.StreamHandler;
import org.jspecify.annotations.Nullable;
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
		public void refuse(AccessDenial why) {
			GuardedRequestsTests.this.events.add("refused: " + why.status());
		}

		@Override
		public void messagesTaken() {
			GuardedRequestsTests.this.events.add("taken");
		}

	}, new GuardedRequests.Guard() {

		@Override
		public @Nullable Function<StreamHandler.Responses, StreamHandler.Requests> publicHandler(byte[] bytes,
				int offset, int length) {
			return (bytes[offset] == '*') ? (responses) -> new Recorded() : null;
		}

		@Override
		public void decide(GuardedRequests undecided) {
			GuardedRequestsTests.this.events.add("checked");
		}

		@Override
		public void onEnd() {
			GuardedRequestsTests.this.events.add("over");
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
		assertThat(this.events).containsExactly("checked", "a", "b", "half closed", "taken", "c", "over", "ended");
	}

	@Test
	void messages_areAnsweredWithoutCheck_ifTheyAreForEverybody() {
		message("*");
		assertThat(this.requests.keepsMessages()).isFalse();
		message("b");
		this.requests.onHalfClose();
		this.requests.onEnd();
		assertThat(this.events).containsExactly("*", "b", "half closed", "over", "ended");
	}

	/** A caller who is refused does not learn that the method exists. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void rejection_isToldToPermittedCallers_only(boolean isPermitted) {
		message("a");
		assertThat(this.requests.keepsRejection(RpcStatus.INVALID_ARGUMENT, "too long")).isTrue();
		assertThat(this.requests.keepsMessages()).isFalse();
		this.requests.onHalfClose();
		if (isPermitted) {
			permit();
		}
		else {
			this.requests.refuse(new AccessDenial(RpcStatus.PERMISSION_DENIED, "no"));
		}
		assertThat(this.events).containsExactly("checked",
				isPermitted ? "closed: INVALID_ARGUMENT" : "refused: PERMISSION_DENIED");
		assertThat(this.requests.keepsRejection(RpcStatus.INTERNAL, "later")).isFalse();
	}

	@Test
	void messages_ofPermittedCaller_areNotKept() {
		this.requests.decide();
		permit();
		message("a");
		assertThat(this.requests.keepsMessages()).isFalse();
		assertThat(this.events).containsExactly("checked", "a");
	}

	@ParameterizedTest
	@ValueSource(strings = { "ended", "refused", "too many" })
	void messages_areDropped_withCall(String why) {
		message("a");
		switch (why) {
			case "ended" -> this.requests.onEnd();
			case "refused" -> this.requests.refuse(new AccessDenial(RpcStatus.PERMISSION_DENIED, "no"));
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
		this.requests.refuse(new AccessDenial(RpcStatus.PERMISSION_DENIED, "again"));
		assertThat(this.events).isEqualTo(switch (why) {
			case "ended" -> List.of("checked", "over");
			case "refused" -> List.of("checked", "refused: PERMISSION_DENIED");
			default -> List.of("checked", "closed: RESOURCE_EXHAUSTED");
		});
	}

}
