package io.rpcboot.engine.http;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.engine.fixture.Accounts;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LeakWatch;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A server with clients of HTTP/1.1, on sockets. Whatever a test did: no call, no
 * connection, no memory and no buffer is left.
 */
@Timeout(120)
abstract class AbstractHttpEngine {

	static final String SERVICE = "/io.rpcboot.engine.fixture.Calls/";

	private static LeakWatch leaks;

	final CallsImpl implementation = new CallsImpl();

	final Accounts accounts = new Accounts();

	final LogRecorder log = new LogRecorder("rpc");

	RpcServer server;

	private final List<HttpPeer> peers = new ArrayList<>();

	@BeforeAll
	static void watchLeaks() {
		leaks = new LeakWatch();
	}

	@AfterAll
	static void noBufferIsLeft() {
		leaks.assertNoLeak();
		leaks.close();
	}

	RpcServerBuilder builder() {
		return RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.maxConnectionsPerAddress(0)
			.metrics(this.accounts)
			.service(Calls.class, this.implementation);
	}

	void start(RpcServerBuilder builder) {
		this.server = builder.start();
	}

	/** Returns a new connection; starts a server if there is none. */
	HttpPeer connect() {
		if (this.server == null) {
			start(builder());
		}
		HttpPeer peer = new HttpPeer(this.server.port());
		this.peers.add(peer);
		return peer;
	}

	/** Calls a method on a new connection. */
	HttpPeer.Response call(String method, String json, String... fields) {
		return connect().post(SERVICE + method, json, fields).read();
	}

	void awaitInFlight(int calls) {
		Eventually.until(calls + " calls are in flight", () -> this.server.inFlightCalls() == calls);
	}

	@AfterEach
	void nothingIsLeft() {
		try {
			this.peers.forEach(HttpPeer::close);
			if (this.server != null) {
				Eventually.until("no connection is open", () -> this.server.connections().isEmpty());
				this.implementation.gate.countDown();
				this.implementation.futures.forEach((each) -> each.complete("late"));
				awaitInFlight(0);
				this.accounts.awaitEmpty();
			}
		}
		finally {
			this.implementation.gate.countDown();
			if (this.server != null) {
				this.server.close();
			}
			this.log.close();
		}
		assertThat(this.log.messages()).as("failures of the engine")
			.noneMatch((each) -> each.contains("survived") || each.contains("failed; the others go on")
					|| each.contains("NullPointerException") || each.contains("IllegalState"));
	}

}
