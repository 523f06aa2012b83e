package io.rpcboot.spring;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

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

	/** Rows as {@code JdbcTemplate} and {@code JdbcClient} return them. */
	@Test
	void rowOfATable_arrivesInItsOrder_withItsLookUps() {
		Map<String, Object> row = new LinkedCaseInsensitiveMap<>();
		row.put("1", "a number");
		row.put("NAME", "Ann");
		row.put("Id", 5);
		row.put("since", null);
		for (Object each : List.of(echo("row", row), ((List<?>) echo("rows", List.of(row))).get(0),
				echo("row", Collections.unmodifiableMap(row)), echo("row", echo("row", row)))) {
			Map<?, ?> arrived = (Map<?, ?>) each;
			assertThat(arrived).isEqualTo(row);
			assertThat(new ArrayList<>(arrived.keySet())).hasToString("[1, NAME, Id, since]");
			assertThat(arrived.get("name")).isEqualTo("Ann");
			assertThat(arrived.get("ID")).isEqualTo(5);
			assertThat(arrived.containsKey("Since")).isTrue();
			assertThat(arrived.containsKey("\u0131d")).isFalse();
		}
		Set<?> columns = (Set<?>) echo("columns", row.keySet());
		assertThat(columns.contains("name")).isTrue();
		assertThat(new ArrayList<>(columns)).hasToString("[1, NAME, Id, since]");
		assertThat(((Map<?, ?>) echo("row", new LinkedHashMap<>(row))).containsKey("name")).isFalse();
	}

	@Test
	void rowOfAnotherLanguage_isRejected_withTheCopyToSend() {
		Map<String, Object> row = new LinkedCaseInsensitiveMap<>(new Locale("tr"));
		row.put("NAME", "Ann");
		row.put("ID", 5);
		assertRejected("row", row,
				"row(): result: org.springframework.util.LinkedCaseInsensitiveMap, which finds 'name' without having it "
						+ "(expected: one that finds its keys by equals, as what arrives does); send a copy of it in a LinkedHashMap");
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

		Set<String> columns();

		Map<String, List<String>> values();

		Customer customer();

	}

	/** Plain class. */
	public static class Customer {

		String name = "Ann";

	}

}
