package io.rpcboot.internal.server.connection;

import java.security.Principal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.rpcboot.context.CallerIdentity;
import io.rpcboot.metrics.TransportRecorder;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RequestCallersTests {

	private final List<String> counted = new ArrayList<>();

	private final RequestCallers callers = new RequestCallers(new TransportRecorder() {

		@Override
		public void connectionIdentified(String caller) {
			RequestCallersTests.this.counted.add(caller);
		}

	});

	private static CallerIdentity caller(String name, Instant end) {
		Principal user = () -> name;
		return CallerIdentity.of(user, end);
	}

	@Test
	void names_areCountedOnce_upToBound() {
		for (int i = 0; i < 2; i++) {
			for (int name = 0; name <= RequestCallers.MAX_NAMES; name++) {
				this.callers.requested(caller("n" + name, Instant.MAX));
			}
		}
		this.callers.count(CallerIdentity.anonymous());
		assertThat(this.counted).hasSize(RequestCallers.MAX_NAMES).doesNotHaveDuplicates();
	}

	@Test
	void caller_isShown_untilItsCredentialsEnd() {
		CallerIdentity certified = caller("certificate", Instant.MAX);
		assertThat(this.callers.last(certified)).isSameAs(certified);
		CallerIdentity ann = caller("ann", Instant.MAX);
		this.callers.requested(ann);
		assertThat(this.callers.last(certified)).isSameAs(ann);
		this.callers.requested(caller("bob", Instant.now().minusSeconds(1)));
		assertThat(this.callers.last(certified)).isSameAs(certified);
	}

}
