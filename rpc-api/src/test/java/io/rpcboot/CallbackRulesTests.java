package io.rpcboot;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.rpcboot.context.RpcContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Tests the rules for parameters with {@link RpcCallback}. */
class CallbackRulesTests {

	static Stream<Arguments> refused() {
		return Stream.of(arguments(OnClass.class, "parameter 1 of", "java.lang.String is a class"),
				arguments(OnPrimitive.class, "parameter 1 of", "int is a class"),
				arguments(OnGeneric.class, "java.util.function.Consumer has type parameters", "an interface without"),
				arguments(OneWay.class, "is one-way and takes a callback", "until the call ends"),
				arguments(Hedged.class, "is hedged and takes a callback", "two calls"),
				arguments(Bare.class, "has bare = true and takes a callback", "messages need fields"),
				arguments(WithStream.class, "has a stream and takes a callback", "expected: one of them"),
				arguments(WithResults.class, "has a stream and takes a callback", "expected: one of them"),
				arguments(Recursive.class, "Looping.again takes a callback", "method of a callback itself"),
				arguments(OneWayMethod.class, "is one-way (expected: a method that waits)", "parameter 1 of"),
				arguments(StreamingMethod.class, "has a stream (expected: single values)", "parameter 1 of"),
				arguments(ContextMethod.class, "takes an RpcContext", "parameter 1 of"),
				arguments(GenericMethod.class, "has type parameters (expected: a method without)", "parameter 1 of"),
				arguments(TwoOfOneName.class, "two methods of a callback have the name tell", "parameter 1 of"),
				arguments(Empty.class, "has no methods to call", "Nothing"));
	}

	@ParameterizedTest
	@MethodSource("refused")
	void interface_isRefused_andSaysWhatToDeclare(Class<?> type, String found, String more) {
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> ServiceDescriptor.of(type))
			.withMessageContaining(found)
			.withMessageContaining(more)
			.satisfies((ex) -> assertThat(ex.action()).isNotBlank());
	}

	@Test
	void parameters_areFound_beforeAndBehindOthers() {
		MethodDescriptor method = ServiceDescriptor.of(Accepted.class).methods().get(0);
		assertThat(method.callbackParameters()).containsExactly(0, 3);
		assertThat(method.isStreaming()).isTrue();
		assertThat(method.hasElementsOnly()).isFalse();
		assertThat(method.streamParameter()).isEqualTo(-1);
	}

	public interface Tell {

		void tell(String text);

	}

	/** Callbacks, one of them of the JDK, with a context between. */
	public interface Accepted {

		String call(@RpcCallback Tell first, RpcContext context, String value, @RpcCallback Runnable second);

	}

	public interface OnClass {

		void call(@RpcCallback String value);

	}

	public interface OnPrimitive {

		void call(@RpcCallback int value);

	}

	public interface OnGeneric {

		void call(@RpcCallback Consumer<String> value);

	}

	public interface OneWay {

		@RpcMethod(oneWay = true)
		void call(@RpcCallback Tell tell);

	}

	public interface Hedged {

		@RpcMethod(idempotent = true, hedged = true)
		void call(@RpcCallback Tell tell);

	}

	public interface Bare {

		@RpcMethod(bare = true)
		void call(@RpcCallback Tell tell);

	}

	public interface WithStream {

		void call(@RpcCallback Tell tell, Flow.Publisher<String> stream);

	}

	public interface WithResults {

		Flow.Publisher<String> call(@RpcCallback Tell tell);

	}

	public interface Looping {

		void again(@RpcCallback Looping looping);

	}

	public interface Recursive {

		void call(@RpcCallback Looping looping);

	}

	public interface TellsOneWay {

		@RpcMethod(oneWay = true)
		void tell(String text);

	}

	public interface OneWayMethod {

		void call(@RpcCallback TellsOneWay tell);

	}

	public interface Streams {

		CompletableFuture<Integer> all(Flow.Publisher<String> texts);

	}

	public interface StreamingMethod {

		void call(@RpcCallback Streams streams);

	}

	public interface Contexts {

		void tell(RpcContext context);

	}

	public interface ContextMethod {

		void call(@RpcCallback Contexts contexts);

	}

	public interface Generic {

		<T> void tell(T value);

	}

	public interface GenericMethod {

		void call(@RpcCallback Generic generic);

	}

	public interface Overloads {

		void tell(String text);

		void tell(List<String> texts);

	}

	public interface TwoOfOneName {

		void call(@RpcCallback Overloads overloads);

	}

	public interface Nothing {

	}

	public interface Empty {

		void call(@RpcCallback Nothing nothing);

	}

}
