package io.rpcboot.internal.serialization.protobuf;

import java.util.List;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcMethod;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.context.RpcContext;
import io.rpcboot.internal.serialization.protobuf.schema.NumberLock;
import io.rpcboot.internal.serialization.protobuf.schema.Numbering;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.TypeOptions;
import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.TypeRef;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests the numbers of parameters in requests. */
public class RequestNumbersTests {

	private static final String ORDERS = RequestNumbersTests.class.getName() + ".Orders";

	private static ProtobufCodec codec(String lock) {
		return ProtobufCodec.of(ServiceDescriptor.of(Orders.class), TypeOptions.NONE, NumberLock.parse("lock", lock));
	}

	private static MethodCodec search(String lock) {
		return codec(lock).method(Codecs.number(Orders.class, "search"));
	}

	@Test
	void parameters_haveTheNumbersOfTheLock_inBothDirections() {
		MethodCodec codec = search(ORDERS + "/Search customer=2 state=1 limit=4 reserved=3");
		byte[] bytes = { 18, 3, 'A', 'n', 'n', 10, 3, 'n', 'e', 'w', 32, 5 };
		assertThat(Codecs.arguments(codec, "Ann", "new", 5)).isEqualTo(bytes);
		assertThat(codec.deserializeArguments(bytes, 0, bytes.length)).containsExactly("Ann", "new", 5);
	}

	@Test
	void file_hasTheNumbers_andThoseOfParametersThatAreGone() {
		assertThat(ProtobufCodec.file(List.of(codec(ORDERS + "/Search customer=2 state=1 limit=4 reserved=3"))).text())
			.contains("""
					message SearchRequest {
					  reserved 3;
					  optional string state = 1;
					  optional string customer = 2;
					  int32 limit = 4;
					}
					""");
	}

	@Test
	void parameters_areNumberedInTheirOrder_withoutALine() {
		assertThat(Codecs.arguments(search(""), "A", "b", 5)).containsExactly(10, 1, 'A', 18, 1, 'b', 24, 5);
	}

	@Test
	void lock_hasALineForEachMethodWithParameters_butNoneForBareOnes() {
		NumberLock lock = ProtobufCodec.lock(ServiceDescriptor.of(Orders.class), TypeOptions.NONE, NumberLock.NONE);
		assertThat(lock.text().lines().filter((each) -> each.contains("/"))).containsExactly(ORDERS + "/Close id=1",
				ORDERS + "/Search customer=1 state=2 limit=3");
	}

	@Test
	void parameterWithoutANumber_isRefused_withTheLineToWrite() {
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> codec(ORDERS + "/Search customer=1 state=2"))
			.withMessageContaining("(expected: the members [customer, state, limit]")
			.satisfies((ex) -> assertThat(ex.action())
				.endsWith("replace the line by: " + ORDERS + "/Search customer=1 state=2 limit=3"));
	}

	@Test
	void methodsWithoutALine_areUnlocked() {
		assertThat(codec(ORDERS + "/Close id=1").unlocked()).contains(ORDERS + "/Search customer=1 state=2 limit=3")
			.noneMatch((each) -> each.contains("/Close") || each.contains("/All") || each.contains("/Put"));
	}

	@Test
	void interfaceWithoutNamesOfParameters_getsNoLine_andFitsNone() {
		List<ContractMember> parameters = List.of(new ContractMember(1, "arg0", TypeRef.VOID));
		Numbering renewing = new Numbering(NumberLock.NONE, true);
		assertThat(renewing.numberRequest("a.B/Get", parameters, false).numbers()).containsEntry("arg0", 1);
		assertThat(renewing.lock().isEmpty()).isTrue();
		assertThat(renewing.unlocked())
			.containsExactly("a.B/Get (expected: an interface that is compiled with -parameters)");
		Numbering locked = new Numbering(NumberLock.parse("lock", "a.B/Get id=1"), false);
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> locked.numberRequest("a.B/Get", parameters, false))
			.withMessageContaining("'a.B/Get id=1', but the interface is compiled without the names of parameters");
	}

	/** An order. */
	public record Order(long id) {
	}

	/** A service. */
	public interface Orders {

		List<Order> search(String customer, String state, int limit);

		void close(RpcContext context, long id);

		List<Order> all();

		@RpcMethod(bare = true)
		void put(Order order);

	}

}
