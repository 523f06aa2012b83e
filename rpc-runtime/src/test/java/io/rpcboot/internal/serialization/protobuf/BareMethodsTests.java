package io.rpcboot.internal.serialization.protobuf;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcMethod;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.SerializationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests methods whose values are messages themselves. */
public class BareMethodsTests {

	private static final User ANN = new User(7, "Ann");

	private static MethodCodec method(String name) {
		return Codecs.method(Users.class, name);
	}

	@Test
	void parameterAndResult_areTheMessages() {
		MethodCodec rename = method("rename");
		byte[] bytes = { 8, 7, 18, 3, 'A', 'n', 'n' };
		assertThat(Codecs.arguments(rename, ANN)).isEqualTo(bytes);
		assertThat(rename.deserializeArguments(bytes, 0, bytes.length)).containsExactly(ANN);
		assertThat(Codecs.result(rename, ANN)).isEqualTo(bytes);
		assertThat(Codecs.read(rename, bytes)).isEqualTo(ANN);
		assertThat(Codecs.read(rename, new byte[0])).isEqualTo(new User(0, null));
	}

	@Test
	void futureAndChoice_areTheMessages() {
		MethodCodec find = method("find");
		Shape square = new Square(3);
		assertThat(Codecs.read(find, Codecs.result(find, square))).isEqualTo(square);
		Instant now = Instant.ofEpochSecond(5, 6);
		assertThat(Codecs.arguments(find, now)).containsExactly(8, 5, 16, 6);
	}

	@Test
	void methodWithoutValues_hasEmptyMessages() {
		MethodCodec clear = method("clear");
		assertThat(Codecs.arguments(clear)).isEmpty();
		assertThat(Codecs.result(clear, null)).isEmpty();
		byte[] unknown = { 8, 1 };
		assertThat(clear.deserializeArguments(unknown, 0, unknown.length)).isEmpty();
		assertThat(Codecs.read(clear, unknown)).isNull();
	}

	@Test
	void null_isRefused() {
		MethodCodec rename = method("rename");
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Codecs.arguments(rename, new Object[] { null }))
			.withMessageContaining("Users.rename(")
			.withMessageContaining(
					"arguments user: null (expected: a value, because it is the message itself over gRPC)");
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> Codecs.result(rename, null))
			.withMessageContaining("result: null (expected: a value");
	}

	@Test
	void file_hasTheMessagesThemselves() {
		assertThat(Codecs.file(Users.class).text()).contains("import \"google/protobuf/empty.proto\";")
			.contains("rpc Rename(BareMethodsTestsUser) returns (BareMethodsTestsUser);")
			.contains("rpc Find(google.protobuf.Timestamp) returns (BareMethodsTestsShape);")
			.contains("rpc Clear(google.protobuf.Empty) returns (google.protobuf.Empty);")
			.contains("message BareMethodsTestsShape {\n  oneof choice {")
			.doesNotContain("Request", "Response");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					TwoParameters | put(java.lang.String,int): bare = true with 2 parameters (expected: at most one           | Declare one class that has them as its fields
					ScalarResult  | count(): result: int is no message                                                         | Declare a class that has it as its field
					TextParameter | find(java.lang.String): argument name: java.lang.String is no message                      | Declare a class that has it as its field
					Collection    | all(): result: java.util.List is no message, which bare = true makes of it (expected: a cl | Declare a class
					Table         | all(): result: java.util.Map is no message                                                 | Declare a class
					Holder        | find(): result: java.util.Optional is no message                                           | Declare a class
					Constant      | state(): result: java.lang.Thread$State is no message                                      | Declare a class
					AnyObject     | any(): result: java.lang.Object is no message                                              | Declare a class
					""")
	void valueThatIsNoMessage_isRefusedAtStart(String type, String problem, String action) throws Exception {
		Class<?> service = Class.forName(BareMethodsTests.class.getName() + "$" + type);
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> Codecs.of(service))
			.withMessageStartingWith(service.getName() + ".")
			.withMessageContaining(problem)
			.satisfies((ex) -> assertThat(ex.action()).contains(action, "remove bare = true from @RpcMethod"));
	}

	public record User(long id, String name) {
	}

	/** A choice. */
	public sealed interface Shape permits Square, Circle {

	}

	public record Square(int side) implements Shape {
	}

	public record Circle(int radius) implements Shape {
	}

	/** Methods of a service of others. */
	public interface Users {

		@RpcMethod(bare = true)
		User rename(User user);

		@RpcMethod(bare = true)
		CompletableFuture<Shape> find(Instant since);

		@RpcMethod(bare = true)
		void clear();

	}

	/** Refused. */
	public interface TwoParameters {

		@RpcMethod(bare = true)
		User put(String name, int id);

	}

	/** Refused. */
	public interface ScalarResult {

		@RpcMethod(bare = true)
		int count();

	}

	/** Refused. */
	public interface TextParameter {

		@RpcMethod(bare = true)
		User find(String name);

	}

	/** Refused. */
	public interface Collection {

		@RpcMethod(bare = true)
		List<User> all();

	}

	/** Refused. */
	public interface Table {

		@RpcMethod(bare = true)
		Map<String, User> all();

	}

	/** Refused. */
	public interface Holder {

		@RpcMethod(bare = true)
		Optional<User> find();

	}

	/** Refused. */
	public interface Constant {

		@RpcMethod(bare = true)
		Thread.State state();

	}

	/** Refused. */
	public interface AnyObject {

		@RpcMethod(bare = true)
		Object any();

	}

}
