package io.rpcboot.grpc.spring;

import java.net.ServerSocket;

import io.grpc.BindableService;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.TestServiceGrpc;
import io.rpcboot.grpc.spring.HostingApplication.Application;
import io.rpcboot.grpc.spring.HostingApplication.EchoService;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceInfo;
import io.rpcboot.spring.RpcGrpcServices;
import io.rpcboot.spring.RpcService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.GrpcServerFactory;
import org.springframework.grpc.server.advice.GrpcAdvice;
import org.springframework.grpc.server.advice.GrpcExceptionHandler;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Settings and beans that decide who has the services, and with which options. */
@ExtendWith(OutputCaptureExtension.class)
class HostingConditionsIntegrationTests {

	private static final SimpleRequest REQUEST = SimpleRequest.getDefaultInstance();

	@Test
	void services_stayWithSpringBoot_byDefault() {
		try (ConfigurableApplicationContext context = HostingApplication.start(Application.class)) {
			assertThat(context.getBeansOfType(RpcServer.class)).isEmpty();
			assertThat(context.getBeansOfType(RpcGrpcServices.class)).isEmpty();
			assertServedBySpringBoot(context);
		}
	}

	@Test
	void services_stayWithSpringBoot_ifServerIsDisabled() {
		try (ConfigurableApplicationContext context = HostingApplication.start(Application.class,
				"rpc.server.grpc.host-services=true", "rpc.server.enabled=false")) {
			assertThat(context.getBeansOfType(RpcServer.class)).isEmpty();
			assertServedBySpringBoot(context);
		}
	}

	private static void assertServedBySpringBoot(ConfigurableApplicationContext context) {
		assertThat(context.getBeansOfType(GrpcServerFactory.class)).hasSize(1)
			.doesNotContainKey("rpcGrpcServerFactory");
		try (HostingApplication application = HostingApplication.of(context,
				context.getBean(GrpcServerLifecycle.class).getPort())) {
			assertThat(application.client().unaryCall(REQUEST).getUsername()).isEqualTo("hosted");
		}
	}

	@Test
	void settingsOfServersOfSpringBoot_areNamed(CapturedOutput output) {
		HostingApplication
			.run(Application.class, "spring.grpc.server.ssl.enabled=false",
					"spring.grpc.server.keepalive.permit.time=1m", "spring.grpc.server.reflection.enabled=false",
					"spring.grpc.server.observation.enabled=false", "spring.grpc.server.health.enabled=true",
					"rpc.server.grpc.health=false")
			.close();
		assertThat(output).containsOnlyOnce("without effect")
			.contains("spring.grpc.server.keepalive.permit.time, spring.grpc.server.port,"
					+ " spring.grpc.server.reflection.enabled, spring.grpc.server.ssl.enabled: without effect,"
					+ " because of rpc.server.grpc.host-services=true (expected: rpc.server.* instead)");
	}

	@Test
	void healthOfSpringBoot_isHosted_ifThatOfServerIsOff() {
		try (HostingApplication application = HostingApplication.run(Application.class,
				"rpc.server.grpc.health=false")) {
			assertThat(application.context.getBean(RpcServer.class).services())
				.extracting((service) -> service.service().name())
				.containsExactlyInAnyOrder("grpc.health.v1.Health", TestServiceGrpc.SERVICE_NAME);
			assertThat(HealthGrpc.newBlockingStub(application.channel)
				.check(HealthCheckRequest.getDefaultInstance())
				.getStatusValue()).isPositive();
		}
	}

	@Test
	void optionsOfService_areThoseOfItsProperties() {
		try (HostingApplication application = HostingApplication.run(Application.class,
				"rpc.server.services.test-service.max-threads=3",
				"rpc.server.services.test-service.methods.unary-call.max-threads=2")) {
			ServiceInfo service = application.context.getBean(RpcServer.class).services().get(0);
			assertThat(service.maxThreads()).isEqualTo(3);
			assertThat(service.methodMaxThreads()).containsEntry("UnaryCall", 2);
		}
	}

	@Test
	void serverOfSpringBootAtSamePort_isNamed_beforeStartFails(CapturedOutput output) throws Exception {
		int port;
		try (ServerSocket free = new ServerSocket(0)) {
			port = free.getLocalPort();
		}
		assertThatThrownBy(() -> HostingApplication.start(BesideSpringBoot.class, "rpc.server.port=" + port,
				"spring.grpc.server.port=" + port));
		assertThat(output).contains("rpc.server.port: " + port + ", and Spring Boot's gRPC server has the same one",
				"spring.grpc.server.port", "rpc.server.grpc.host-services=true");
	}

	@Test
	void serverOfSpringBootAtAnotherPort_isNotNamed(CapturedOutput output) {
		HostingApplication.start(BesideSpringBoot.class).close();
		assertThat(output).doesNotContain("has the same one");
	}

	/** Service of the starter beside those of Spring Boot's server. */
	@Configuration(proxyBeanMethods = false)
	static class BesideSpringBoot extends Application {

		@Bean
		@RpcService
		Supplying supplying() {
			return () -> "any";
		}

	}

	/** Contract of the starter. */
	public interface Supplying {

		String get();

	}

	@Test
	void propertiesOfUnknownService_areRefused() {
		assertThatThrownBy(() -> HostingApplication.run(Application.class, "rpc.server.services.tests.max-threads=3"))
			.hasStackTraceContaining("rpc.server.services: 'tests'")
			.hasStackTraceContaining("TestService");
	}

	@Test
	void exceptions_areHandledByAdviceOfSpring() {
		try (HostingApplication application = HostingApplication.run(AdvisedApplication.class)) {
			application.service().behavior = (request, responses) -> {
				throw new IllegalArgumentException("no user 7");
			};
			Status status = catchThrowableOfType(StatusRuntimeException.class,
					() -> application.client().unaryCall(REQUEST))
				.getStatus();
			assertThat(status.getCode()).isEqualTo(Status.Code.NOT_FOUND);
			assertThat(status.getDescription()).isEqualTo("no user 7");
		}
	}

	@Test
	void services_standBesideThoseOfInterfaces() {
		try (HostingApplication application = HostingApplication.run(MixedApplication.class)) {
			assertThat(application.context.getBean(RpcServer.class).services())
				.extracting((service) -> service.service().name())
				.containsExactlyInAnyOrder(Greeter.class.getName(), TestServiceGrpc.SERVICE_NAME);
			assertThat(application.client().unaryCall(REQUEST).getUsername()).isEqualTo("hosted");
		}
	}

	@Test
	void twoBeansOfOneService_areRefused() {
		assertThatThrownBy(() -> HostingApplication.run(TwiceApplication.class))
			.hasStackTraceContaining("Service grpc.testing.TestService is offered twice");
	}

	/** Contract of Java. */
	public interface Greeter {

		String greet(String name);

	}

	@RpcService
	static class PlainGreeter implements Greeter {

		@Override
		public String greet(String name) {
			return "Hello " + name;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Application.class, PlainGreeter.class })
	static class MixedApplication {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Application.class)
	static class TwiceApplication {

		@Bean
		BindableService other() {
			return new EchoService();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Application.class, Advice.class })
	static class AdvisedApplication {

	}

	/** Called by Spring, so it is public. */
	@GrpcAdvice
	public static class Advice {

		@GrpcExceptionHandler
		public Status handle(IllegalArgumentException thrown) {
			return Status.NOT_FOUND.withDescription(thrown.getMessage());
		}

	}

}
