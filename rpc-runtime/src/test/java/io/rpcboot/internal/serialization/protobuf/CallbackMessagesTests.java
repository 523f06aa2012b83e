package io.rpcboot.internal.serialization.protobuf;

import java.io.IOException;
import java.util.List;

import io.rpcboot.RpcAlias;
import io.rpcboot.RpcCallback;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcMethod;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.context.RpcContext;
import io.rpcboot.internal.call.CallbackCall;
import io.rpcboot.internal.call.CallbackReply;
import io.rpcboot.internal.call.CallbackReply.Failure;
import io.rpcboot.internal.serialization.protobuf.schema.NumberLock;
import io.rpcboot.internal.serialization.types.walk.ServiceGraph;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.TypeOptions;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractMatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests the messages of callbacks, and callbacks in a contract. */
public class CallbackMessagesTests {

	private static final String OUTER = CallbackMessagesTests.class.getName();

	private final MethodCodec codec = Codecs.method(Reports.class, "build");

	private static byte[] element(MethodCodec codec, Object element) {
		OutputBuffer out = new OutputBuffer(new byte[1], 1 << 16);
		codec.serializeElement(element, out);
		return out.toByteArray();
	}

	private static CallbackCall call(int method, Object... arguments) {
		return new CallbackCall(0, method, 7, arguments, null);
	}

	private CallbackReply reply(int... bytes) {
		byte[] message = bytes(bytes);
		return (CallbackReply) this.codec.deserializeElement(message, 0, message.length);
	}

	private static byte[] bytes(int... values) {
		byte[] bytes = new byte[values.length];
		for (int i = 0; i < values.length; i++) {
			bytes[i] = (byte) values[i];
		}
		return bytes;
	}

	@Test
	void file_hasMessagesOfCallsAndReplies() {
		assertThat(Codecs.file(Reports.class).text()).contains("import \"google/protobuf/any.proto\";").contains("""
				service Reports {
				  rpc Build(stream BuildRequest) returns (stream BuildResponse);
				}

				message BuildRequest {
				  optional string id = 1;
				  optional CallbackMessagesTestsProgressReply progress = 2;
				  int32 limit = 3;
				}

				message BuildResponse {
				  int32 value = 1;
				  optional CallbackMessagesTestsProgressCall progress = 3;
				}

				message CallbackMessagesTestsProgressCall {
				  int64 id = 1;
				  oneof choice {
				    CallbackMessagesTestsProgressGoOnRequest go_on = 5;
				    CallbackMessagesTestsProgressPercentRequest percent = 6;
				  }
				}

				message CallbackMessagesTestsProgressGoOnRequest {
				  optional string step = 1;
				}

				message CallbackMessagesTestsProgressGoOnResponse {
				  bool value = 1;
				}

				message CallbackMessagesTestsProgressPercentRequest {
				  int32 done = 1;
				}

				message CallbackMessagesTestsProgressPercentResponse {}

				message CallbackMessagesTestsProgressReply {
				  int64 id = 1;
				  int32 code = 2;
				  string message = 3;
				  google.protobuf.Any exception = 4;
				  oneof choice {
				    CallbackMessagesTestsProgressGoOnResponse go_on = 5;
				    CallbackMessagesTestsProgressPercentResponse percent = 6;
				  }
				}
				""");
	}

	@Test
	void callAndReply_haveTheBytesOfTheFile() {
		assertThat(Codecs.result(this.codec, call(1, 9))).isEqualTo(bytes(26, 6, 8, 7, 50, 2, 8, 9));
		assertThat(Codecs.result(this.codec, 5)).isEqualTo(bytes(8, 5));
		assertThat(element(this.codec, new CallbackReply(0, 0, 7, true, null)))
			.isEqualTo(bytes(18, 6, 8, 7, 42, 2, 8, 1));
		assertThat(element(this.codec, new CallbackReply(0, 0, 7, null, new Failure(RpcStatus.NOT_FOUND, "no", null))))
			.isEqualTo(bytes(18, 8, 8, 7, 16, 5, 26, 2, 'n', 'o'));
	}

	@Test
	void callAndReply_areRead() {
		byte[] call = Codecs.result(this.codec, call(0, "step"));
		assertThat(this.codec.deserializeResult(call, 0, call.length)).isInstanceOfSatisfying(CallbackCall.class,
				(read) -> {
					assertThat(read.id()).isEqualTo(7);
					assertThat(read.method()).isZero();
					assertThat(read.arguments()).containsExactly("step");
				});
		assertThat(this.codec.deserializeResult(bytes(8, 5), 0, 2)).isEqualTo(new CallbackCall.End(5));
		assertThat(reply(18, 6, 8, 7, 42, 2, 8, 1)).isEqualTo(new CallbackReply(0, 0, 7, true, null));
		assertThat(reply(18, 4, 8, 7, 50, 0)).isEqualTo(new CallbackReply(0, 1, 7, null, null));
		assertThat(reply(18, 4, 8, 7, 16, 2).failure()).isEqualTo(new Failure(RpcStatus.APPLICATION, "", null));
		assertThat(reply(18, 4, 8, 7, 16, 14).failure()).isEqualTo(new Failure(RpcStatus.UNAVAILABLE, "", null));
	}

	@Test
	void declaredException_goesAlong() {
		byte[] reply = element(this.codec, new CallbackReply(0, 0, 7, null,
				new Failure(RpcStatus.APPLICATION, "away", new GoneException("away"))));
		assertThat(((CallbackReply) this.codec.deserializeElement(reply, 0, reply.length)).failure())
			.satisfies((failure) -> assertThat(failure.thrown()).isInstanceOf(GoneException.class).hasMessage("away"));
	}

	/** Other ends of the connection may send anything. */
	@Test
	void unknownMethods_andUnreadableParts_failTheirCallAlone() {
		byte[] unknown = bytes(26, 5, 8, 7, 250, 1, 0);
		assertThat(this.codec.deserializeResult(unknown, 0, unknown.length)).isInstanceOfSatisfying(CallbackCall.class,
				(read) -> assertThat(read.method()).isEqualTo(CallbackCall.UNKNOWN));
		byte[] broken = bytes(26, 6, 8, 7, 50, 2, 8, 200);
		assertThat(((CallbackCall) this.codec.deserializeResult(broken, 0, broken.length)).unreadable()).isNotNull();
		assertThat(reply(18, 6, 8, 7, 42, 2, 8, 200).failure())
			.satisfies((failure) -> assertThat(failure.status()).isEqualTo(RpcStatus.INTERNAL))
			.satisfies((failure) -> assertThat(failure.message()).contains("cannot be read"));
		assertThat(reply(18, 2, 8, 7).failure())
			.satisfies((failure) -> assertThat(failure.message()).contains("neither a result nor a code"));
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> reply(10, 1, 'x'))
			.withMessageContaining("expected: the parameters in the first message alone");
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> reply(18, 9, 8, 7));
	}

	@Test
	void arguments_areThoseWithoutCallbacks() {
		byte[] bytes = Codecs.arguments(this.codec, "one", null, 3);
		assertThat(bytes).isEqualTo(bytes(10, 3, 'o', 'n', 'e', 24, 3));
		assertThat(this.codec.deserializeArguments(bytes, 0, bytes.length)).containsExactly("one", null, 3);
	}

	@Test
	void lock_hasNumbersOfMethods_andTheirParameters() {
		ServiceDescriptor service = ServiceDescriptor.of(Reports.class);
		NumberLock lock = ProtobufCodec.lock(service, TypeOptions.NONE, NumberLock.NONE);
		String callback = OUTER.replace('$', '.') + ".Progress";
		assertThat(lock.text().lines()).contains(OUTER + "$Progress goOn=5 percent=6", callback + "/GoOn step=1",
				callback + "/Percent done=1", OUTER + ".Reports/Build id=1 progress=2 limit=3");
		NumberLock other = NumberLock.parse("lock",
				OUTER + "$Progress goOn=8 percent=5 reserved=6\n" + OUTER + ".Reports/Build id=1 progress=9 limit=3");
		assertThat(ProtobufCodec.file(List.of(ProtobufCodec.of(service, TypeOptions.NONE, other))).text())
			.contains("optional CallbackMessagesTestsProgressReply progress = 9;")
			.contains("optional CallbackMessagesTestsProgressCall progress = 10;")
			.contains("PercentRequest percent = 5;")
			.contains("GoOnRequest go_on = 8;")
			.contains("  reserved 6;");
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> ProtobufCodec.of(service, TypeOptions.NONE,
					NumberLock.parse("lock", OUTER + "$Progress goOn=1 percent=5")))
			.withMessageContaining("goOn=1 (expected: 5 or more, for a method of a callback)");
	}

	@Test
	void contract_hasCallback_andItsTextIsParsed() {
		Contract contract = ServiceGraph.of(ServiceDescriptor.of(Reports.class), "a", TypeOptions.NONE).contract();
		assertThat(contract.text()).contains("method build(java.lang.String, " + OUTER + "$Progress, int) int\n")
			.contains("callback " + OUTER + "$Progress\n" + "  1 goOn call<boolean,java.lang.String,throws<" + OUTER
					+ "$GoneException>> aka proceed\n  2 percent call<void,int>\n");
		assertThat(Contract.parse(contract.text()).hash()).isEqualTo(contract.hash());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					1 go call<boolean,int>      | 1 go call<boolean,int>                      |
					1 go call<boolean,long>     | 1 go call<boolean,int>                      |
					1 go call<void,int>         | 1 go call<void,int>; 2 stop call<void>      |
					1 go call<int,int>          | 1 go call<void,int>                         |
					1 go call<void,int>         | 1 go call<boolean,int>                      | result of callback P.go: void at the client, boolean at the server
					1 go call<boolean,int>      | 1 go call<boolean,java.lang.String>         | argument 1 of callback P.go: int at the client, java.lang.String at the server
					1 go call<boolean>          | 1 go call<boolean,int>                      | callback P.go: 0 arguments at the client, 1 at the server
					1 go call<boolean,int>      | 1 proceed call<boolean,boolean> aka go      | argument 1 of callback P.go: int at the client, boolean at the server
					""")
	void differenceOfCallbacks_isFound_beforeTheyAreCalled(String client, String server, String difference) {
		assertThat(ContractMatch.of(contract(client), contract(server)).difference(0))
			.isEqualTo((difference != null) ? difference : "");
	}

	@Test
	void callbackAndValue_differ() {
		Contract value = Contract.parse("a\nmethod build(P) int\nbean P\n  1 x int\n");
		assertThat(ContractMatch.of(contract("1 go call<void>"), value).difference(0)).isNotEmpty();
		assertThat(ContractMatch.of(value, contract("1 go call<void>")).difference(0)).isNotEmpty();
	}

	private static Contract contract(String members) {
		return Contract.parse("a\nmethod build(P) int\ncallback P\n  " + members.strip().replace("; ", "\n  ") + "\n");
	}

	@ParameterizedTest
	@CsvSource({ "callback P;1 x int", "callback P;1 x call", "bean P;1 x call<void>", "callback P;1 - call<void>" })
	void wrongCallback_isRefused(String text) {
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> Contract.parse("a\nmethod build(P) int\n" + text.replace(";", "\n  ") + "\n"))
			.withMessageContaining("contract");
	}

	@Test
	void callbackThatProtobufDoesNotCarry_isFound() {
		assertThat(ProtobufCodec.findings(ServiceDescriptor.of(Wrong.class), List.of(), TypeOptions.NONE).values())
			.extracting(Throwable::getMessage)
			.satisfiesExactly(
					(one) -> assertThat(one).contains("any(").contains("callback " + OUTER).contains("argument value"),
					(two) -> assertThat(two).contains("two methods of the callback are named Go in protobuf"));
	}

	/** Callback with a value of any type. */
	public interface Any {

		void tell(Object value);

	}

	/** Callback whose names differ by case alone. */
	public interface Twins {

		void go();

		@RpcMethod(name = "Go")
		void start();

	}

	/** Services that protobuf does not carry. */
	public interface Wrong {

		void any(@RpcCallback Any any);

		void twins(@RpcCallback Twins twins);

	}

	/** Declared exception of a callback. */
	public static class GoneException extends IOException {

		private static final long serialVersionUID = 1L;

		public GoneException(String message) {
			super(message);
		}

	}

	/** A callback. */
	public interface Progress {

		void percent(int done);

		@RpcAlias("proceed")
		boolean goOn(String step) throws GoneException;

	}

	/** A service with a callback. */
	public interface Reports {

		int build(String id, @RpcCallback Progress progress, RpcContext context, int limit);

	}

}
