package io.rpcboot.spring;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import org.junit.jupiter.api.Test;
import org.mockito.MockMakers;
import org.mockito.Mockito;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.util.CollectionUtils;
import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.util.LinkedCaseInsensitiveMap;
import org.springframework.util.LinkedMultiValueMap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Containers and proxies that Spring and Mockito put where plain types are declared. */
public class SpringContainersTests {

	private static MethodCodec codec(String method) {
		ServiceDescriptor service = ServiceDescriptor.of(Service.class);
		return new ProtostuffSerializer().codec(service)
			.method(service.methods()
				.stream()
				.filter((each) -> each.name().equals(method))
				.mapToInt(MethodDescriptor::number)
				.findFirst()
				.orElseThrow());
	}

	private static Object echo(String method, Object value) {
		OutputBuffer out = new OutputBuffer(new byte[16], 1000);
		MethodCodec codec = codec(method);
		codec.serializeResult(value, out);
		return codec.deserializeResult(out.array(), 0, out.length());
	}

	private static void assertRejected(String method, Object value, String message) {
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> echo(method, value))
			.withMessageContaining(message);
	}

	@Test
	void caseInsensitiveMap_isRejected_withTheCopyToSend() {
		Map<String, Object> row = new LinkedCaseInsensitiveMap<>();
		row.put("1", "a number");
		row.put("NAME", "Ann");
		String message = ": org.springframework.util.LinkedCaseInsensitiveMap, which finds 'name' without having it "
				+ "(expected: one that finds its keys by equals, as what arrives does); send a copy of it in a LinkedHashMap";
		assertRejected("row", row, "row(): result" + message);
		assertRejected("rows", List.of(row), "rows(): result[0]" + message);
		assertThat(echo("rows", List.of(new LinkedHashMap<>(row)))).isEqualTo(List.of(row));
	}

	@Test
	void mapOfSpring_arrivesAsMap() {
		Map<String, Object> soft = new ConcurrentReferenceHashMap<>();
		soft.put("a", 1);
		assertThat(echo("row", soft)).isEqualTo(Map.of("a", 1));
		LinkedMultiValueMap<String, String> values = new LinkedMultiValueMap<>();
		values.add("a", "b");
		for (Map<String, List<String>> each : List.of(values, CollectionUtils.unmodifiableMultiValueMap(values))) {
			assertThat(echo("values", each)).isEqualTo(Map.of("a", List.of("b")));
		}
	}

	@Test
	void proxyOfSpring_isRejected_withAdvice() {
		ProxyFactory factory = new ProxyFactory(new Customer());
		factory.setProxyTargetClass(true);
		assertRejected("customer", factory.getProxy(), Customer.class.getName()
				+ " is declared: a proxy of Spring; send a SpringContainersTests$Customer with its data, such as AopProxyUtils.getSingletonTarget of it");
	}

	@Test
	void mock_isRejected_withAdvice() {
		Customer mock = Mockito.mock(Customer.class, Mockito.withSettings().mockMaker(MockMakers.SUBCLASS));
		assertRejected("customer", mock, "is declared: a mock; let the test return a SpringContainersTests$Customer");
	}

	/** Service with rows of a table. */
	public interface Service {

		Map<String, Object> row();

		List<Map<String, Object>> rows();

		Map<String, List<String>> values();

		Customer customer();

	}

	/** Plain class. */
	public static class Customer {

		String name = "Ann";

	}

}
