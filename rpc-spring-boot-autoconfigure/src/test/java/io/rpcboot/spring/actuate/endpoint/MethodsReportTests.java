package io.rpcboot.spring.actuate.endpoint;

import java.util.List;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.Side;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.history.RpcHistory;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests which methods of the history are listed. */
class MethodsReportTests {

	private static final ServiceDescriptor SERVICE = ServiceDescriptor.of(Mixed.class, "", "");

	private final RpcHistory history = RpcHistory.builder().build();

	@Test
	void method_isListed_afterFirstCall() {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerSingleton("history", this.history);
		MethodsReport methods = new MethodsReport(new RpcBeans(beans));
		List<CallRecorder> recorders = SERVICE.methods()
			.stream()
			.map((method) -> this.history.calls(Side.SERVER, method))
			.toList();
		String service = SERVICE.id().toString();
		String called = SERVICE.methods().get(1).signature();
		assertThat(methods.all().methods()).isEmpty();
		assertThat(methods.one(Side.SERVER, service, called)).isNull();

		recorders.get(1).record(RpcStatus.OK, 1, "10.0.0.5:9090");
		assertThat(methods.all().methods()).extracting((each) -> each.method()).containsExactly(called);
		assertThat(methods.of(Side.SERVER, service)).extracting((each) -> each.method()).containsExactly(called);
		assertThat(methods.one(Side.SERVER, service, called)).isNotNull();
		MethodDescriptor other = SERVICE.methods().get(0);
		assertThat(methods.one(Side.SERVER, service, other.signature())).isNull();
	}

	public interface Mixed {

		void one();

		void other();

	}

}
