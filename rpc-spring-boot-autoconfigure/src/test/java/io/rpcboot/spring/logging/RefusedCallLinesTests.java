package io.rpcboot.spring.logging;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.security.RefusedCall;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** Limit and text of the lines about refused calls. */
class RefusedCallLinesTests {

	private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(AccessLogInterceptor.LOGGER);

	private final List<String> lines = new ArrayList<>();

	private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {

		@Override
		protected void append(ILoggingEvent event) {
			RefusedCallLinesTests.this.lines.add(event.getFormattedMessage());
		}

	};

	private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);

	private final AccessLogInterceptor log = new AccessLogInterceptor(0, this.now::get);

	@BeforeEach
	void listen() {
		this.appender.start();
		LOGGER.setLevel(Level.INFO);
		LOGGER.addAppender(this.appender);
	}

	@AfterEach
	void close() {
		LOGGER.detachAppender(this.appender);
		LOGGER.setLevel(null);
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
		assertThat(this.lines).containsExactly(line);
		this.now.addAndGet(TimeUnit.SECONDS.toNanos(1));
		refuse("acme.Orders", "Find");
		refuse("acme.Orders", "Find");
		this.now.addAndGet(TimeUnit.SECONDS.toNanos(1));
		refuse("acme.Orders", "Find");
		assertThat(this.lines).containsExactly(line, line + " others-refused=999", line + " others-refused=1");
	}

	@Test
	void textOfStranger_breaksNoLine() {
		refuse("a\nb status=OK", "");
		assertThat(this.lines).singleElement().asString().contains(" service=\"a?b status=OK\" status=UNAUTHENTICATED");
	}

}
