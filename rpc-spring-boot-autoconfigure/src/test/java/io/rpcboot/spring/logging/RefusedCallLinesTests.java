package io.rpcboot.spring.logging;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.security.RefusedCall;
import io.rpcboot.spring.autoconfigure.fixture.LogLines;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Limit and text of the lines about refused calls. */
class RefusedCallLinesTests {

	private final LogLines lines = new LogLines(AccessLogInterceptor.LOGGER);

	private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);

	private final AccessLogInterceptor log = new AccessLogInterceptor(0, this.now::get);

	@AfterEach
	void close() {
		this.lines.close();
	}

	private void refuse(String service, String method) {
		this.log.refused(new RefusedCall("10.0.0.7:51234", "my till", "grpc", CallerIdentity.anonymous(), service,
				method, RpcStatus.UNAUTHENTICATED));
	}

	@Test
	void oneLineASecond_countsTheOthers() {
		for (int i = 0; i < 1000; i++) {
			refuse("acme.Orders", "Find");
		}
		String line = "peer=10.0.0.7:51234 claimed-application=\"my till\" protocol=grpc service=acme.Orders method=Find status=UNAUTHENTICATED";
		assertThat(this.lines.messages()).containsExactly(line);
		this.now.addAndGet(TimeUnit.SECONDS.toNanos(1));
		refuse("acme.Orders", "Find");
		refuse("acme.Orders", "Find");
		this.now.addAndGet(TimeUnit.SECONDS.toNanos(1));
		refuse("acme.Orders", "Find");
		assertThat(this.lines.messages()).containsExactly(line, line + " others-refused=999",
				line + " others-refused=1");
	}

	@Test
	void textOfStranger_breaksNoLine() {
		refuse("a\nb status=OK", "");
		assertThat(this.lines.messages()).singleElement()
			.asString()
			.contains(" service=\"a?b status=OK\" status=UNAUTHENTICATED");
	}

}
