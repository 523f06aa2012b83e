package io.rpcboot.internal.server.services;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.protocol.binary.BindReply;
import io.rpcboot.internal.server.scheduling.Bulkhead;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.server.scheduling.MinServiceTime;
import io.rpcboot.internal.server.scheduling.ResponseSizeEstimator;
import io.rpcboot.internal.server.scheduling.ServerMethod;
import io.rpcboot.internal.server.scheduling.ServiceQueue;
import io.rpcboot.internal.server.services.ServiceContract.Binding;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractMethod;
import io.rpcboot.serialization.contract.TypeRef;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.server.Dispatch;
import io.rpcboot.workload.UserService;
import io.rpcboot.workload.UserServiceImpl;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ServiceContractTests {

	private final ServiceDescriptor service = ServiceDescriptor.of(UserService.class);

	private final ServiceCodec codec = new ProtostuffSerializer().codec(this.service);

	private final ServiceContract offered = new ServiceContract(this.service.id(), this.codec, methods(),
			new ContractCache(new MemoryBudget(4L << 30, 0)),
			new RateLimitedLogger(ServiceContractTests.class.getName(), System::nanoTime));

	private List<Invocation> methods() {
		return this.service.methods()
			.stream()
			.map((each) -> Invocation.of(
					new ServerMethod(each, false, UserServiceImpl::new, new LongAdder(),
							new ResponseSizeEstimator(true), new MinServiceTime(), Dispatch.POOL,
							new ServiceQueue(Bulkhead.of(1, false, 1, 1), false), null),
					this.codec.method(each.number()), null))
			.toList();
	}

	/** Of however many methods that are missing here, the others are served. */
	@ParameterizedTest
	@ValueSource(ints = { 1, 500, 600, 4000 })
	void knownMethods_areServed_whenOtherMethodsAreMissing(int missing) {
		Contract own = this.codec.contract();
		List<ContractMethod> methods = new ArrayList<>(own.methods());
		while (methods.size() < own.methods().size() + missing) {
			methods.add(new ContractMethod(methods.size(), "missing" + methods.size(), List.of(), TypeRef.VOID, false,
					List.of(), List.of()));
		}
		Contract client = Contract.of(own.format(), methods, own.types());
		Binding binding = this.offered.add(client.hash(), methods.size(),
				client.text().getBytes(StandardCharsets.UTF_8), "shop (10.0.0.5:4000)");
		assertThat(binding.problem()).isNull();
		assertThat(binding.methods().subList(0, own.methods().size())).doesNotContainNull();
		assertThat(binding.methods().subList(own.methods().size(), methods.size())).containsOnlyNulls();
		int last = methods.size() - 1;
		assertThat(binding.why(last)).contains("different versions")
			.contains("method missing%d() is missing at the".formatted(last));
		byte[] body = BindReply.fitting(this.offered.hash(), binding.refused()).encode();
		assertThat(body).hasSizeLessThanOrEqualTo(64 * 1024);
		BindReply reply = BindReply.decode(body);
		assertThat(reply.refused()).hasSize(missing);
		assertThat(reply.refused().get(last)).startsWith((missing > 528) ? BindReply.NO_ROOM : "method missing");
	}

}
