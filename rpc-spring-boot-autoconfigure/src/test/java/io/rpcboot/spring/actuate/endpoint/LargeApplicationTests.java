package io.rpcboot.spring.actuate.endpoint;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.Side;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import io.rpcboot.server.PoolInfo;
import io.rpcboot.server.PoolInfo.Exhaustion;
import io.rpcboot.server.PoolInfo.Holder;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.spring.actuate.descriptor.PoolDescriptor;
import io.rpcboot.transport.EventLoopOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * 500 services of 20 methods, as many references without instance, and a full history.
 */
class LargeApplicationTests {

	private static final int SERVICES = 500;

	private static final int METHODS = 20;

	private static final int MOST_BYTES = 50 * 1024;

	/** What five holders of threads with their stacks may add when none is free. */
	private static final int BYTES_OF_A_USED_UP_POOL = 8 * 1024;

	private static final AtomicLong nanos = new AtomicLong();

	private static final GenericApplicationContext context = new GenericApplicationContext();

	private static final RpcHistory history = RpcHistory.builder()
		.clock(nanos::get, () -> Instant.EPOCH.plusNanos(nanos.get()))
		.build();

	private static SummaryReport summary;

	private static RpcBeans beans;

	@BeforeAll
	static void start() {
		Registry registry = new InMemoryRegistry();
		EventLoopOptions inProcess = EventLoopOptions.defaults().withTransport(EventLoopOptions.Transport.IN_PROCESS);
		RpcServerBuilder server = RpcServer.builder().port(0).eventLoop(inProcess);
		RpcClient client = RpcClient.builder().registry(registry).eventLoop(inProcess).build();
		for (int i = 0; i < SERVICES; i++) {
			ServiceDescriptor service = ServiceDescriptor.of(WarehouseInventoryReservationService.class, "1." + i, "");
			server.service(service, () -> null);
			for (MethodDescriptor method : service.methods()) {
				CallRecorder calls = history.calls(Side.SERVER, method);
				calls.record(RpcStatus.OK, Duration.ofMillis(1).toNanos(), "10.0.0.5:9090");
				calls.record(RpcStatus.UNAVAILABLE, Duration.ofMillis(3).toNanos(), "10.0.0.5:9090");
			}
			client.reference(WarehouseInventoryReservationService.class,
					ReferenceOptions.defaults().withVersion("1." + i));
		}
		RpcServer built = server.build();
		built.bind();
		nanos.addAndGet(Duration.ofSeconds(5).toNanos());
		history.tick();
		context.registerBean(Registry.class, () -> registry);
		context.registerBean(RpcServer.class, () -> built);
		context.registerBean(RpcClient.class, () -> client);
		context.registerBean(RpcHistory.class, () -> history);
		context.refresh();
		beans = new RpcBeans(context.getBeanFactory());
		summary = new SummaryReport(beans, context, Clock.fixed(Instant.EPOCH.plusSeconds(5), ZoneOffset.UTC));
	}

	@AfterAll
	static void stop() {
		context.close();
	}

	@Test
	void summary_staysWithinSizeLimit_with500Services() {
		byte[] bytes = JsonMapper.shared().writeValueAsBytes(summary.describe());
		JsonNode json = JsonMapper.shared().readTree(bytes);
		assertThat(json.at("/references").size()).isEqualTo(SummaryReport.MOST_REFERENCES);
		assertThat(json.at("/referencesLeftOut").asInt()).isEqualTo(SERVICES - SummaryReport.MOST_REFERENCES);
		assertThat(json.at("/methods").size()).isEqualTo(SummaryReport.MOST_METHODS);
		assertThat(json.at("/server/services").asInt()).isEqualTo(SERVICES);
		assertThat(json.at("/client/references").asInt()).isEqualTo(SERVICES);
		assertThat(json.at("/findings").size()).isPositive();
		assertThat(bytes.length).isLessThan(MOST_BYTES - BYTES_OF_A_USED_UP_POOL);
	}

	@Test
	void exhaustedPool_addsLimitedSizeToSummary() {
		String frame = "com.acme.warehouse.inventory.PessimisticReservationRepository.lock(PessimisticReservationRepository.java:1234)";
		String method = WarehouseInventoryReservationService.class.getName()
				+ ":1.499.reserveNumber1(java.lang.String,int)";
		Holder holder = new Holder(method, 40, 40, Collections.nCopies(30, frame));
		PoolInfo pool = new PoolInfo(200, 200, 3000,
				new Exhaustion(Instant.EPOCH, 3000, Collections.nCopies(5, holder)));
		PoolDescriptor shortened = PoolDescriptor.of(pool);
		assertThat(shortened.usedUp().at()).isZero();
		assertThat(shortened.usedUp().holders()).hasSize(5)
			.allSatisfy((each) -> assertThat(each.stack()).hasSize(PoolDescriptor.MOST_FRAMES));
		assertThat(JsonMapper.shared().writeValueAsBytes(shortened)).hasSizeLessThan(BYTES_OF_A_USED_UP_POOL);
	}

	@Test
	void detailReports_listAllServicesReferencesAndMethods() {
		MethodsReport methods = new MethodsReport(beans);
		EffectiveOptionsReport policies = new EffectiveOptionsReport(beans, context.getEnvironment());
		assertThat(methods.all().methods()).hasSize(SERVICES * METHODS);
		assertThat(new ServicesReport(beans, methods, policies).all().services()).hasSize(SERVICES)
			.allSatisfy((each) -> assertThat(each.methods()).isEqualTo(METHODS))
			.allSatisfy((each) -> assertThat(each.callsPerSecond()).isPositive());
		assertThat(new ReferencesReport(beans, methods, policies).all().references()).hasSize(SERVICES);
		String service = WarehouseInventoryReservationService.class.getName() + ":1.499";
		List<String> signatures = new ServicesReport(beans, methods, policies).one(service).signatures();
		assertThat(signatures).hasSize(METHODS);
		assertThat(new ServicesReport(beans, methods, policies).one(service).policy().methods()).isEmpty();
		assertThat(methods.of(Side.SERVER, service)).hasSize(METHODS);
		assertThat(methods.one(Side.SERVER, service, signatures.get(7)).stats()).satisfies((stats) -> {
			assertThat(stats.method()).isEqualTo(signatures.get(7));
			assertThat(stats.calls()).isEqualTo(2);
			assertThat(stats.errors()).isOne();
		});
	}

	/** A contract of many methods. */
	public interface WarehouseInventoryReservationService {

		String reserveNumber0(String article, int count);

		String reserveNumber1(String article, int count);

		String reserveNumber2(String article, int count);

		String reserveNumber3(String article, int count);

		String reserveNumber4(String article, int count);

		String reserveNumber5(String article, int count);

		String reserveNumber6(String article, int count);

		String reserveNumber7(String article, int count);

		String reserveNumber8(String article, int count);

		String reserveNumber9(String article, int count);

		String reserveNumber10(String article, int count);

		String reserveNumber11(String article, int count);

		String reserveNumber12(String article, int count);

		String reserveNumber13(String article, int count);

		String reserveNumber14(String article, int count);

		String reserveNumber15(String article, int count);

		String reserveNumber16(String article, int count);

		String reserveNumber17(String article, int count);

		String reserveNumber18(String article, int count);

		String reserveNumber19(String article, int count);

	}

}
