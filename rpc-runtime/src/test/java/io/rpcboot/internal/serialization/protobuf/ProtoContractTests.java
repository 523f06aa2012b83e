package io.rpcboot.internal.serialization.protobuf;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.engine.stream.Feeds;
import io.rpcboot.engine.stream.Uploads;
import io.rpcboot.evolution.CompiledVersion;
import io.rpcboot.internal.serialization.protobuf.schema.NumberLock;
import io.rpcboot.serialization.TypeOptions;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractMatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Contracts in protobuf, and their comparison by numbers. */
class ProtoContractTests {

	private static Contract contract(ServiceDescriptor service) {
		return contract(service, NumberLock.NONE);
	}

	private static Contract contract(ServiceDescriptor service, NumberLock lock) {
		return ProtobufCodec.of(service, TypeOptions.NONE, lock).contract();
	}

	private static Contract version(String body) {
		return version(body, "");
	}

	private static Contract version(String body, String lock) {
		return contract(CompiledVersion.of(body + " static Object value() { return null; }").descriptor(),
				NumberLock.parse("lock", lock));
	}

	private static String difference(Contract client, Contract server) {
		return ContractMatch.of(client, server).difference(0);
	}

	@Test
	void text_hasNumbersOfProtobuf() {
		Contract contract = version(
				"""
						record Quote(String symbol, State state, java.util.List<Long> sizes, java.util.Map<String, Part> parts) {}
						record Part(@io.protostuff.Tag(3) int size) {}
						enum State { OPEN, @io.rpcboot.RpcAlias("DONE") CLOSED }
						java.util.concurrent.Flow.Publisher<Quote> exchange(String symbol);""",
				"evolution.Api$State OPEN=2 CLOSED=1");
		assertThat(contract.text()).isEqualTo("""
				protobuf/1
				method Exchange(evolution.ExchangeRequest) stream<evolution.ExchangeResponse>
				method Untouched(evolution.UntouchedRequest) evolution.UntouchedResponse
				tagged evolution.ApiPart
				  3 size int32
				message evolution.ApiQuote
				  1 symbol string
				  2 state enum<evolution.ApiState>
				  3 sizes repeated<int64>
				  4 parts map<string,evolution.ApiPart>
				message evolution.ApiState
				  1 CLOSED void aka DONE
				  2 OPEN void
				tagged evolution.ExchangeRequest
				  1 symbol string
				message evolution.ExchangeResponse
				  1 value evolution.ApiQuote
				tagged evolution.UntouchedRequest
				  1 number int32
				message evolution.UntouchedResponse
				  1 value int32
				""");
		assertThat(Contract.parse(contract.text()).hash()).isEqualTo(contract.hash());
	}

	/**
	 * So that a native reference and its server of the same version need no comparison.
	 */
	@ParameterizedTest
	@ValueSource(classes = { Feeds.class, Uploads.class })
	void partWithStreams_isContractOfTheirMethods(Class<?> type) {
		ServiceDescriptor all = ServiceDescriptor.of(type);
		List<MethodDescriptor> streaming = new ArrayList<>();
		for (MethodDescriptor each : all.methods()) {
			if (each.isStreaming()) {
				streaming.add(new MethodDescriptor(each.service(), streaming.size(), each.method(), each.style(),
						each.declaredExceptions(), each.timeout(), each.isIdempotent(), each.name()));
			}
		}
		assertThat(ProtoContract.streamsOf(contract(all)).text())
			.isEqualTo(contract(new ServiceDescriptor(all.id(), all.type(), streaming)).text());
	}

	private static final String USER = "record User(%s) {} ";

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-", value = { "int id, String name | int id, String name, int age | -",
			"int id, String name | int id, int age, String name | field name of evolution.ApiUser: number 2 at the client, 3 at the server",
			"String id, String name | String name, String id | field id of evolution.ApiUser: number 1 at the client, 2 at the server",
			"int id, String name | int id, String title | number 2 of evolution.ApiUser: name at the client, title at the server",
			"int id, String name | int id, @io.rpcboot.RpcAlias(\"name\") String title | -",
			"@io.protostuff.Tag(1) int id | @io.protostuff.Tag(1) int key | -",
			"@io.protostuff.Tag(1) int id | @io.protostuff.Tag(2) int id | number 1 at the client, 2 at the server",
			"int id | String id | field id of evolution.ApiUser: int32 at the client, string at the server",
			"float id | double id | field id of evolution.ApiUser: float at the client, double at the server",
			"int id | java.util.List<Integer> id | int32 at the client, repeated<int32> at the server",
			"int id | Integer id | -", "java.util.UUID id | String id | -",
			"java.util.List<String> id | String[] id | -" })
	void fields_areComparedByNumber(String client, String server, String difference) {
		String method = "User exchange(User value);";
		String found = difference(version(USER.formatted(client) + method), version(USER.formatted(server) + method));
		if (difference == null) {
			assertThat(found).isEmpty();
		}
		else {
			assertThat(found).contains(difference);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-",
			value = { "int from, int to | int to, int from | number 1 at the client, 2 at the server",
					"int from, int to | int source, int target | -", "int from | int from, int to | -",
					"int from, String to | int from, int by, String to | number 2" })
	void parameters_areComparedByNumber(String client, String server, String difference) {
		String found = difference(version("void exchange(%s);".formatted(client)),
				version("void exchange(%s);".formatted(server)));
		if (difference == null) {
			assertThat(found).isEmpty();
		}
		else {
			assertThat(found).contains(difference);
		}
	}

	/** The reader of the shorter integer would cut the longer one. */
	@Test
	void longerInteger_isReadByLongerOne() {
		Contract shorter = version("int exchange(int value);");
		Contract longer = version("long exchange(int value);");
		assertThat(difference(longer, shorter)).isEmpty();
		assertThat(difference(shorter, longer)).contains("int32 at the client, int64 at the server");
	}

	@Test
	void constants_areComparedByNumber() {
		Contract before = version("enum State { OPEN, CLOSED } State exchange();");
		assertThat(difference(before, version("enum State { OPEN, CLOSED, GONE } State exchange();"))).isEmpty();
		assertThat(difference(before, version("enum State { NEW, OPEN, CLOSED } State exchange();")))
			.contains("constant OPEN of evolution.ApiState: number 1 at the client, 2 at the server");
		assertThat(difference(before, version("enum State { NEW, OPEN, CLOSED } State exchange();",
				"evolution.Api$State NEW=3 OPEN=1 CLOSED=2")))
			.isEmpty();
	}

	@Test
	void subtypes_areComparedByNumber() {
		String base = "sealed interface Shape permits %s {} record Circle(int r) implements Shape {} "
				+ "record Square(int a) implements Shape {} %s void exchange(Shape value);";
		Contract two = version(base.formatted("Circle, Square", ""));
		Contract three = version(base.formatted("Circle, Line, Square", "record Line(int l) implements Shape {}"));
		assertThat(difference(two, two)).isEmpty();
		assertThat(difference(two, three))
			.contains("field square of evolution.ApiShape: number 2 at the client, 3 at the server");
	}

	@Test
	void methodsOfCallback_areComparedByNumber() {
		String body = "interface Progress { %s } void exchange(@io.rpcboot.RpcCallback Progress progress);";
		Contract one = version(body.formatted("void b(int done);"));
		assertThat(difference(one, version(body.formatted("void b(int done); void c(int done);")))).isEmpty();
		assertThat(difference(one, version(body.formatted("void a(int done); void b(int done);")))).contains("number 5")
			.contains("6");
	}

}
