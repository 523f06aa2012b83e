package io.rpcboot.test.validation;

import java.time.Duration;
import java.util.List;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.ServiceId;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.Attachments;
import io.rpcboot.server.InvokeRequest;
import io.rpcboot.server.InvokeResult;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.spring.RpcServiceCustomizer;
import io.rpcboot.spring.validation.RpcValidationAutoConfiguration;
import io.rpcboot.test.validation.Orders.Line;
import io.rpcboot.test.validation.Orders.Order;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.validation.beanvalidation.LocalValidatorFactoryBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Constraints of the interface over both protocols. */
class ValidationIntegrationTests {

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "NATIVE", "GRPC" })
	void violations_areRefused_beforeTheMethodRuns(Protocol protocol) {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RpcValidationAutoConfiguration.class))
			.withBean(LocalValidatorFactoryBean.class)
			.run((context) -> {
				ServiceDescriptor service = ServiceDescriptor.of(Orders.class);
				ServiceOptions options = context.getBean(RpcServiceCustomizer.class)
					.customize(service, ServiceOptions.defaults());
				try (RpcServer server = RpcServer.builder()
					.port(0)
					.bindAddress("127.0.0.1")
					.service(service, ValidationTests.OrderService::new, options)
					.start(); RpcClient client = RpcClient.builder().build()) {
					assertValidated(client.reference(Orders.class,
							ReferenceOptions.defaults()
								.withEndpoints(new Endpoint("127.0.0.1", server.port()))
								.withProtocol(protocol)));
					assertOperatorIsValidated(server);
				}
			});
	}

	private static void assertOperatorIsValidated(RpcServer server) {
		InvokeResult refused = server
			.invoke(new InvokeRequest(ServiceId.of(Orders.class), "place",
					"{\"order\": {\"customer\": \" \", \"lines\": []}, \"copies\": 1}", Duration.ofSeconds(30),
					Attachments.none(), null))
			.join();
		assertThat(refused.status()).isEqualTo(RpcStatus.INVALID_ARGUMENT);
		assertThat(refused.json()).contains("order.customer: must not be blank");
		assertThat(refused.mayHaveRun()).isFalse();
	}

	private static void assertValidated(Orders orders) {
		assertThat(orders.place(new Order("Ada", List.of(new Line(1))), 2)).isEqualTo("Ada 2");
		assertThatExceptionOfType(RpcException.class)
			.isThrownBy(() -> orders.place(new Order(" ", List.of(new Line(0))), 1))
			.withMessageContaining(
					"2 invalid arguments: order.customer: must not be blank; order.lines[0].amount: must be greater than 0")
			.matches((ex) -> ex.status() == RpcStatus.INVALID_ARGUMENT && !ex.mayHaveExecuted())
			.satisfies((ex) -> assertThat(ex.replyAttachments().get("violations")).contains("order.customer"));
	}

}
