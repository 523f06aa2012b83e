package io.rpcboot.internal.server.call;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.internal.protocol.binary.AttachmentsSection;
import io.rpcboot.internal.server.fixture.HandDrivenServer;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.security.Credentials;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls that wait for the check of their credentials. */
class CallAccessTests {

	private static final long FOREVER = Long.MAX_VALUE;

	private final CountDownLatch released = new CountDownLatch(1);

	private final CountDownLatch checked = new CountDownLatch(1);

	private final HandDrivenServer server = new HandDrivenServer(1 << 20, "document",
			AccessOptions.defaults().withClearTextCredentials(true).withAuthenticator(this::check));

	private CallerIdentity check(Credentials credentials) {
		try {
			assertThat(this.released.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		this.checked.countDown();
		return CallerIdentity.anonymous();
	}

	@AfterEach
	void nothingIsLeft() throws InterruptedException {
		this.released.countDown();
		assertThat(this.checked.await(30, TimeUnit.SECONDS)).isTrue();
		this.server.channel.runPendingTasks();
		this.server.channel.finishAndReleaseAll();
		assertThat(this.server.runtime.inFlight.get()).isZero();
		assertThat(this.server.fetched).hasValue(0);
	}

	private ServerCall begun(boolean oneWay) {
		this.server.expected = 0;
		ServerCall call = this.server.newCall(FOREVER, oneWay);
		Attachments attachments = new Attachments();
		attachments.put(Credentials.ATTACHMENT, "Bearer any");
		byte[] section = AttachmentsSection.encode(attachments, 1000);
		call.request(section, 0, section.length);
		call.unread = (request, start, end) -> new RequestAttachments.Content(attachments, end);
		call.run();
		return call;
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void call_endsWithItsConnection_whileCredentialsAreChecked(boolean oneWay) {
		ServerCall call = begun(oneWay);
		assertThat(call.responseStarted).isFalse();
		call.abandon((size) -> true);
		assertEnded(call);
		assertThat(this.server.runtime.counts.dropped.sum()).isEqualTo(oneWay ? 1 : 0);
	}

	@Test
	void cancelledCall_ends_whileCredentialsAreChecked() {
		ServerCall call = begun(false);
		assertThat(call.responseStarted).isFalse();
		call.cancel();
		assertEnded(call);
	}

	/** A thread takes it after the end. */
	@Test
	void oneWayCall_doesNotWait_ifItsConnectionHasEnded() {
		begun(true).abandon((size) -> true);
		assertEnded(begun(true));
	}

	private static void assertEnded(ServerCall call) {
		assertThat(call.responseStarted).isTrue();
		assertThat(call.status).isEqualTo(RpcStatus.CANCELLED);
		assertThat(call.started).as("the method").isFalse();
	}

}
