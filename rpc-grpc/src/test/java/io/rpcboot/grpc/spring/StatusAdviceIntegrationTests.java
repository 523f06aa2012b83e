package io.rpcboot.grpc.spring;

import java.util.List;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcAdvice;
import io.rpcboot.spring.RpcExceptionHandler;
import io.rpcboot.spring.RpcService;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Status exceptions of grpc-java beside advice of the application. */
class StatusAdviceIntegrationTests {

	/** Stock as an interface of both protocols. */
	public interface Stock {

		int count(String article);

	}

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "NATIVE", "GRPC" })
	void advice_seesStatusException_beforeItIsTheAnswer(Protocol protocol) {
		try (ConfigurableApplicationContext context = HostingApplication.start(Application.class);
				RpcClient client = RpcClient.builder().build()) {
			int port = context.getBean(RpcServer.class).port();
			Stock stock = client.reference(Stock.class,
					ReferenceOptions.defaults().withAddresses(List.of("127.0.0.1:" + port)).withProtocol(protocol));
			RpcException advised = catchThrowableOfType(RpcException.class, () -> stock.count("chair"));
			assertThat(advised.status()).isEqualTo(RpcStatus.FAILED_PRECONDITION);
			assertThat(advised).hasMessageContaining("advised: NOT_FOUND");
			RpcException left = catchThrowableOfType(RpcException.class, () -> stock.count("table"));
			assertThat(left.status()).as("the advice returns null").isEqualTo(RpcStatus.OUT_OF_RANGE);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ StockService.class, Advice.class })
	static class Application {

	}

	@RpcService
	static class StockService implements Stock {

		@Override
		public int count(String article) {
			throw (article.equals("chair") ? Status.NOT_FOUND : Status.OUT_OF_RANGE).asRuntimeException();
		}

	}

	@RpcAdvice
	static class Advice {

		@RpcExceptionHandler
		RpcException status(StatusRuntimeException thrown) {
			return (thrown.getStatus().getCode() == Status.Code.NOT_FOUND)
					? new RpcException(RpcStatus.FAILED_PRECONDITION, "advised: " + thrown.getMessage(), true) : null;
		}

	}

}
