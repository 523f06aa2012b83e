package io.rpcboot.internal.transport.binary;

import java.util.function.Function;

import io.rpcboot.internal.transport.fixture.FlowControlledQueue;
import io.rpcboot.internal.transport.fixture.TestFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which frame requests bytes when window and socket become free at different times.
 */
class SendWindowOrderTests {

	/** The socket is full when the first has gone, and another asks before the second. */
	@Test
	void frames_askForGrantInOrderOfWaiting() {
		try (FlowControlledQueue side = new FlowControlledQueue()) {
			TestFrame first = side.enqueue(200);
			TestFrame second = side.enqueue(300);
			assertThat(side.said()).containsExactly("NEED 200");
			Function<Boolean, WriteDecision> admission = first.admission;
			first.admitted((writable) -> {
				WriteDecision result = admission.apply(writable);
				if (result == WriteDecision.WRITE) {
					setWritable(side, false);
				}
				return result;
			});
			side.window(200);
			assertThat(side.said()).containsExactly("1");
			side.enqueue(400);
			assertThat(side.said()).isEmpty();
			setWritable(side, true);
			side.said();
			side.window(1_000_000);
			assertThat(side.said()).containsExactly("2", "3");
			assertThat(second.ends()).isEqualTo(1);
		}
	}

	/** Others that fill the socket again and again do not keep it back. */
	@Test
	void grantedLongFrame_precedesFramesWaitingForSocket() {
		try (FlowControlledQueue side = new FlowControlledQueue()) {
			side.window(1000);
			side.enqueue(5000);
			assertThat(side.said()).containsExactly("NEED 5000");
			setWritable(side, false);
			side.answer(6000);
			side.enqueue(100);
			assertThat(side.said()).isEmpty();
			setWritable(side, true);
			side.grant.blocked.resume();
			assertThat(side.said()).containsExactly("1", "2");
		}
	}

	private static void setWritable(FlowControlledQueue side, boolean writable) {
		side.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, writable);
	}

}
