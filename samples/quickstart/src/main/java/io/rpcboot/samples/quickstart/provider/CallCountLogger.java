package io.rpcboot.samples.quickstart.provider;

import java.util.concurrent.TimeUnit;

import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Logs every few seconds how many calls this provider took. */
@Component
class CallCountLogger {

	private static final Logger logger = LoggerFactory.getLogger(CallCountLogger.class);

	private final RpcServer server;

	private long before;

	CallCountLogger(RpcServer server) {
		this.server = server;
	}

	@Scheduled(initialDelay = 5, fixedRate = 5, timeUnit = TimeUnit.SECONDS)
	void log() {
		long calls = this.server.services().stream().mapToLong(ServiceInfo::calls).sum();
		if (calls > this.before) {
			logger.info("Provider on port {} took {} calls in 5 s, {} in all", this.server.port(), calls - this.before,
					calls);
			this.before = calls;
		}
	}

}
