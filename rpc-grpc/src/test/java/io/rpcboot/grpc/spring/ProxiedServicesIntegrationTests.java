package io.rpcboot.grpc.spring;

import java.lang.reflect.Proxy;

import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.TestServiceGrpc;
import io.grpc.testing.integration.TestServiceGrpc.AsyncService;
import io.rpcboot.grpc.BindableServices;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Aspects of generated services, such as method security: they hold for each call. */
@ExtendWith(OutputCaptureExtension.class)
class ProxiedServicesIntegrationTests {

	private static final SimpleRequest REQUEST = SimpleRequest.getDefaultInstance();

	@ParameterizedTest
	@CsvSource({ "generated, false", "generated, true", "interfaces, false", "interfaces, true" })
	void aspect_refusesCall_whateverProxyItHas(String kind, boolean proxyTargetClass, CapturedOutput output) {
		try (HostingApplication application = HostingApplication.run(Application.class, "kind=" + kind,
				"proxy-target-class=" + proxyTargetClass)) {
			StatusRuntimeException failure = catchThrowableOfType(StatusRuntimeException.class,
					() -> application.client().unaryCall(REQUEST));
			assertThat(failure).isNotNull();
			assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
		}
		assertThat(output).doesNotContain("aspects have no effect");
	}

	@ParameterizedTest
	@CsvSource({ "false", "true" })
	void aspectWithoutEffect_isWarnedOf_besideBindServiceOfItsOwn(boolean proxyTargetClass, CapturedOutput output) {
		try (HostingApplication application = HostingApplication.run(Application.class, "kind=intercepted",
				"proxy-target-class=" + proxyTargetClass)) {
			assertThat(application.client().unaryCall(REQUEST).getUsername()).isEqualTo("executed");
		}
		assertThat(output).contains(Intercepted.class.getName() + ": security, transactions, caches and other aspects");
	}

	@Test
	void dynamicProxy_isBoundItself() {
		Plain target = new Plain();
		Object[] called = new Object[1];
		BindableService proxy = (BindableService) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { BindableService.class, AsyncService.class }, (self, method, arguments) -> {
					called[0] = self;
					return method.invoke(target, arguments);
				});
		ServerServiceDefinition bound = BindableServices.bound(proxy);
		assertThat(bound).isNotNull();
		assertThat(BindableServices.of(proxy)).isNotNull();
		assertThat(BindableServices.bound(new Intercepted())).as("with interceptors").isNull();
		assertThat(BindableServices.bound(() -> bound)).as("no generated interface").isNull();
	}

	private static void executed(StreamObserver<SimpleResponse> responses) {
		responses.onNext(SimpleResponse.newBuilder().setUsername("executed").build());
		responses.onCompleted();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		static DefaultAdvisorAutoProxyCreator proxies(Environment environment) {
			DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
			creator.setProxyTargetClass(environment.getRequiredProperty("proxy-target-class", Boolean.class));
			return creator;
		}

		@Bean
		static DefaultPointcutAdvisor denied() {
			NameMatchMethodPointcut calls = new NameMatchMethodPointcut();
			calls.setMappedName("unaryCall");
			calls.setClassFilter(BindableService.class::isAssignableFrom);
			MethodInterceptor denying = (call) -> {
				throw Status.PERMISSION_DENIED.asRuntimeException();
			};
			return new DefaultPointcutAdvisor(calls, denying);
		}

		@Bean
		BindableService service(Environment environment) {
			return switch (environment.getRequiredProperty("kind")) {
				case "generated" -> new Generated();
				case "interfaces" -> new Plain();
				default -> new Intercepted();
			};
		}

	}

	static class Generated extends TestServiceGrpc.TestServiceImplBase {

		@Override
		public void unaryCall(SimpleRequest request, StreamObserver<SimpleResponse> responses) {
			executed(responses);
		}

	}

	/** Service without the generated base class. */
	static class Plain implements BindableService, AsyncService {

		@Override
		public ServerServiceDefinition bindService() {
			return TestServiceGrpc.bindService(this);
		}

		@Override
		public void unaryCall(SimpleRequest request, StreamObserver<SimpleResponse> responses) {
			executed(responses);
		}

	}

	/** Service that binds itself with an interceptor. */
	static class Intercepted extends Plain {

		@Override
		public ServerServiceDefinition bindService() {
			return ServerInterceptors.intercept(super.bindService(), new ServerInterceptor() {
				@Override
				public <Q, A> ServerCall.Listener<Q> interceptCall(ServerCall<Q, A> call, Metadata headers,
						ServerCallHandler<Q, A> next) {
					return next.startCall(call, headers);
				}
			});
		}

	}

}
