package io.rpcboot.internal.server.grpc;

import java.nio.file.AccessMode;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.server.builtin.RecordingResponses;
import io.rpcboot.internal.server.builtin.StreamHandler;
import io.rpcboot.server.GrpcOptions;
import io.rpcboot.server.GrpcOptions.Lock;
import io.rpcboot.server.HttpOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class GrpcServerTests {

	/** Constants of {@code HealthCheckResponse.ServingStatus}. */
	private static final int SERVING = 1;

	private static final int NOT_SERVING = 2;

	public interface Units {

		TimeUnit unit(AccessMode mode);

	}

	private static GrpcServer server(GrpcOptions options) {
		return new GrpcServer(OfferedServices.of(Units.class), options, HttpOptions.defaults(), 1000,
				OfferedServices.GZIP.budget(), Runnable::run,
				new RateLimitedLogger(OfferedServices.LOG, System::nanoTime));
	}

	@ParameterizedTest
	@CsvSource({ "true, true", "true, false", "false, true", "false, false" })
	void healthAndReflection_areOffered_unlessTurnedOff(boolean health, boolean reflection) {
		GrpcServer server = server(GrpcOptions.defaults().withHealth(health).withReflection(reflection));
		assertThat(server.methods().find("/grpc.health.v1.Health/Check") != null).isEqualTo(health);
		assertThat(server.methods().find("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo") != null)
			.isEqualTo(reflection);
		assertThat(server.methods().find("/" + Units.class.getName().replace('$', '.') + "/Unit")).isNotNull();
		server.ready(true);
		server.fail();
		server.close();
	}

	@Test
	void health_followsServer() {
		GrpcServer server = server(GrpcOptions.defaults());
		assertThat(health(server)).isEqualTo(NOT_SERVING);
		server.ready(true);
		assertThat(health(server)).isEqualTo(SERVING);
		server.ready(false);
		assertThat(health(server)).isEqualTo(NOT_SERVING);
		server.ready(true);
		server.close();
		assertThat(health(server)).isEqualTo(NOT_SERVING);
	}

	/** Returns the number in the only field of the response. */
	private static int health(GrpcServer server) {
		RecordingResponses responses = new RecordingResponses();
		StreamHandler.Requests requests = server.methods().find("/grpc.health.v1.Health/Check").handler
			.begin(responses);
		requests.onMessage(new byte[0], 0, 0);
		requests.onHalfClose();
		return responses.messages.get(0)[1];
	}

	@Test
	void files_declareServices() {
		assertThat(server(GrpcOptions.defaults()).files())
			.containsOnlyKeys("io/rpcboot/internal/server/grpc/GrpcServerTests/services.proto");
	}

	@Test
	void typesWithoutLine_areRefused_ifLockIsRequired() {
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> server(GrpcOptions.defaults().withLock(Lock.REQUIRED)))
			.withMessage("grpc.lock: required, and META-INF/rpc/protobuf.lock has no line for 3 types of gRPC")
			.satisfies((ex) -> assertThat(ex.action()).isEqualTo(
					"""
							Set grpc.lock to optional, or add these lines to the file in the module of the types, as ContractFiles does:
							io.rpcboot.internal.server.grpc.GrpcServerTests.Units/Unit mode=1
							java.nio.file.AccessMode READ=1 WRITE=2 EXECUTE=3
							java.util.concurrent.TimeUnit NANOSECONDS=1 MICROSECONDS=2 MILLISECONDS=3 SECONDS=4 MINUTES=5 HOURS=6 DAYS=7"""));
	}

}
