package io.rpcboot.benchmarks.system;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.rpcboot.benchmarks.workload.BenchCall;
import io.rpcboot.benchmarks.workload.BenchService;
import io.rpcboot.benchmarks.workload.User;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every system answers every call that it claims to support rightly.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class RpcSystemContract {

	/**
	 * What is tested.
	 * @return those of this class path
	 */
	protected List<RpcSystem> systems() {
		return RpcSystem.all();
	}

	@ParameterizedTest
	@MethodSource("systems")
	void answersAreRight(RpcSystem system) throws Exception {
		try (BenchServer server = system.startServer(); BenchClient client = system.connect(server.port())) {
			for (BenchCall call : Arrays.stream(BenchCall.values()).filter(system::supports).toList()) {
				Object answer = call.invoke(client.service(), 7);
				assertThat(call.isRight(7, answer)).as(call.label()).isTrue();
				Object later = call.invokeAsync(client.service(), 8).get(10, TimeUnit.SECONDS);
				assertThat(call.isRight(8, later)).as(call.label() + " async").isTrue();
			}
		}
	}

	Stream<RpcSystem> systemsWithUsers() {
		return systems().stream().filter((system) -> system.supports(BenchCall.GET_USER));
	}

	@ParameterizedTest(allowZeroInvocations = true)
	@MethodSource("systemsWithUsers")
	void everyFieldOfAUserArrives(RpcSystem system) throws Exception {
		try (BenchServer server = system.startServer(); BenchClient client = system.connect(server.port())) {
			BenchService service = client.service();
			User user = service.getUser(42);
			assertThat(user).hasNoNullFieldsOrProperties();
			assertThat(user.getBirthday()).hasToString("1968-12-08");
			assertThat(user.getCreateTime()).isEqualTo(user.getUpdateTime());
			assertThat(user.getPermissions()).startsWith(1, 2, 3).hasSize(15);
			assertThat(service.listUser(3).getResult().get(14).getName()).isEqualTo("Doug Lea14");
		}
	}

}
