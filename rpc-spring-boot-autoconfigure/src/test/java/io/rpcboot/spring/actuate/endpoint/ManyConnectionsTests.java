package io.rpcboot.spring.actuate.endpoint;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.rpcboot.Endpoint;
import io.rpcboot.Side;
import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.RpcConnection;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.actuate.descriptor.InstanceDescriptor;
import io.rpcboot.spring.actuate.descriptor.ReferenceDescriptor;
import io.rpcboot.spring.actuate.descriptor.SummaryDescriptor;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.RpcConnectionListener;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * 2,048 connections to one server, 512 of them of a client of the same process, of which
 * another client knows 520 instances that are away. Addresses in the process are ports
 * alone, whatever the host.
 */
@Timeout(60)
class ManyConnectionsTests {

	private static final int HOSTS = 8;

	private static final int OF_A_HOST = 64;

	private static final int OF_A_CLIENT = HOSTS * OF_A_HOST;

	private static final int CONNECTIONS = 4 * OF_A_CLIENT;

	private static final int AWAY = 520;

	/** None is lost on a busy machine. */
	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private static final int CALLS = 40;

	/** Of 500 connections of each side. */
	private static final int MOST_BYTES = 370 * 1024;

	private static final Logger refusals = (Logger) LoggerFactory.getLogger("rpc.client");

	private static final EventLoopOptions IN_PROCESS = EventLoopOptions.defaults()
		.withTransport(EventLoopOptions.Transport.IN_PROCESS);

	private static final GenericApplicationContext context = new GenericApplicationContext();

	private static final CompletableFuture<String> gate = new CompletableFuture<>();

	private static final List<RpcClient> clients = new ArrayList<>();

	private static final RpcBeans beans = new RpcBeans(context.getDefaultListableBeanFactory());

	private static final ReferencesReport references = new ReferencesReport(beans, new MethodsReport(beans),
			new EffectiveOptionsReport(beans, new StandardEnvironment()));

	private static final ConnectionsReport connections = new ConnectionsReport(beans);

	@BeforeAll
	static void start() throws InterruptedException {
		CountDownLatch ends = new CountDownLatch(2 * CONNECTIONS);
		refusals.setLevel(Level.ERROR);
		RpcServer server = RpcServer.builder()
			.port(0)
			.eventLoop(IN_PROCESS)
			.maxConnectionsPerAddress(0)
			.handshakeTimeout(PATIENCE)
			.connectionListener(countedBy(ends))
			.service(Desk.class, (Desk) (name) -> gate)
			.start();
		RpcClient other = RpcClient.builder()
			.eventLoop(IN_PROCESS)
			.connectionsPerEndpoint(1)
			.backoff(Duration.ofMinutes(1), Duration.ofMinutes(1))
			.build();
		for (int i = 0; i < CONNECTIONS / OF_A_CLIENT; i++) {
			clients.add(RpcClient.builder()
				.eventLoop(IN_PROCESS)
				.connectionsPerEndpoint(OF_A_HOST)
				.connectTimeout(PATIENCE)
				.connectionListener(countedBy(ends))
				.build());
		}
		List<Desk> desks = clients.stream().map((each) -> reference(each, "host", HOSTS, server.port())).toList();
		reference(other, "away", AWAY, server.port() - 1);
		context.registerBean("server", RpcServer.class, () -> server);
		context.registerBean("client", RpcClient.class, () -> clients.get(0));
		context.registerBean("other", RpcClient.class, () -> other);
		context.refresh();
		other.awaitConnected(PATIENCE);
		ends.await();
		for (int i = 0; i < CALLS; i++) {
			desks.get(0).sign("n" + i);
		}
		Applications.eventually(() -> server.inFlightCalls() >= CALLS);
	}

	private static RpcConnectionListener countedBy(CountDownLatch ends) {
		return new RpcConnectionListener() {
			@Override
			public void connected(RpcConnection connection) {
				ends.countDown();
			}
		};
	}

	private static Desk reference(RpcClient client, String host, int hosts, int port) {
		List<Endpoint> endpoints = new ArrayList<>();
		IntStream.range(0, hosts).forEach((i) -> endpoints.add(new Endpoint(host + i, port)));
		return client.reference(Desk.class,
				ReferenceOptions.defaults()
					.withEndpoints(endpoints.toArray(Endpoint[]::new))
					.withTimeout(Duration.ofMinutes(5)));
	}

	@AfterAll
	static void stop() {
		refusals.setLevel(null);
		gate.complete("signed");
		clients.forEach(RpcClient::close);
		context.close();
	}

	@Test
	void connectionsReport_listsBusiestPerSideAndCountsRest() {
		ConnectionsReport.All all = connections.all();
		assertThat(all.leftOut()).isEqualTo(CONNECTIONS + OF_A_CLIENT - 2 * ConnectionsReport.MOST);
		for (List<ConnectionInfo> side : List.of(all.client(), all.server())) {
			assertThat(side).hasSize(ConnectionsReport.MOST)
				.isSortedAccordingTo(Comparator.comparing(ConnectionInfo::pending).reversed());
			assertThat(side.stream().mapToInt(ConnectionInfo::pending).sum()).isEqualTo(CALLS);
		}
		assertSmall(all);
	}

	@Test
	void unlistedConnection_isFoundByAddress() {
		String remote = beans.clients().get(0).connections().get(0).remote();
		assertThat(connections.one(Side.CLIENT, remote).connections()).hasSize(OF_A_HOST);
	}

	@Test
	void instancesReport_listsUnreachableFirstAndCountsRest() {
		InstanceDescriptor.All all = references.instances();
		assertThat(all.leftOut()).isEqualTo(AWAY + HOSTS - ReferenceDescriptor.MOST_INSTANCES);
		assertThat(all.instances()).hasSize(ReferenceDescriptor.MOST_INSTANCES)
			.allSatisfy((each) -> assertThat(each.state()).isEqualTo(State.BACKING_OFF))
			.allSatisfy((each) -> assertThat(each.services()).isOne());
		assertSmall(all);
		assertThat(references.instance("host7:" + beans.server().port())).satisfies((each) -> {
			assertThat(each.services()).containsExactly(Desk.class.getName());
			assertThat(each.connections()).isEqualTo(OF_A_HOST);
		});
	}

	@Test
	void referenceReport_listsUnreachableInstancesFirstAndCountsRest() {
		ReferenceDescriptor one = references.one(Desk.class.getName());
		assertThat(one.instancesLeftOut()).isEqualTo(AWAY + HOSTS - ReferenceDescriptor.MOST_INSTANCES);
		assertThat(one.instances()).hasSize(ReferenceDescriptor.MOST_INSTANCES)
			.allSatisfy((each) -> assertThat(each.state()).isEqualTo(State.BACKING_OFF));
		assertSmall(one);
	}

	@Test
	void summary_countsAllConnectionsAndCalls() {
		SummaryDescriptor summary = new SummaryReport(beans, context, Clock.systemUTC()).describe();
		assertThat(summary.server().connections()).isEqualTo(CONNECTIONS);
		assertThat(summary.client().connections()).isEqualTo(OF_A_CLIENT);
		assertThat(summary.client().references()).isEqualTo(2);
		assertThat(summary.client().pendingCalls()).isEqualTo(CALLS);
		assertThat(JsonMapper.shared().writeValueAsBytes(summary)).hasSizeLessThan(10 * 1024);
	}

	private static void assertSmall(Object document) {
		assertThat(JsonMapper.shared().writeValueAsBytes(document)).hasSizeLessThan(MOST_BYTES);
	}

	/** A contract. */
	public interface Desk {

		CompletableFuture<String> sign(String name);

	}

}
