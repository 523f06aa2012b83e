package io.rpcboot.internal.client.call;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcRouteKey;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RoutingKeysTests {

	/** A key of two parts. */
	public record Pair(String shop, int number) {
	}

	/** Methods with keys, good and bad. */
	public interface Keys {

		void none(String first);

		void text(int first, @RpcRouteKey String second);

		void number(@RpcRouteKey long first);

		void wrapped(@RpcRouteKey Integer first);

		void uuid(@RpcRouteKey UUID first);

		void unit(@RpcRouteKey TimeUnit first);

		void pair(@RpcRouteKey Pair first);

		void badArray(@RpcRouteKey int[] first);

		void badList(@RpcRouteKey List<String> first);

		void badClass(@RpcRouteKey NoText first);

		void badTwo(@RpcRouteKey String first, @RpcRouteKey String second);

	}

	/** Its text says nothing. */
	public static final class NoText {

		/** Number that the text does not show. */
		public int value;

	}

	private static MethodDescriptor method(String name) {
		return ServiceDescriptor.of(Keys.class)
			.methods()
			.stream()
			.filter((each) -> each.name().equals(name))
			.findFirst()
			.orElseThrow();
	}

	@Test
	void annotatedArgument_isRoutingKey() {
		assertThat(RoutingKeys.of(method("none"))).isEqualTo(RoutingKeys.NONE);
		assertThat(RoutingKeys.of(method("text"))).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "number", "wrapped", "uuid", "unit", "pair" })
	void routeKey_isAccepted_withTypeOfStableText(String name) {
		assertThat(RoutingKeys.of(method(name))).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "badArray", "badList", "badClass" })
	void routeKey_isRejected_withTypeWithoutStableText(String name) {
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> RoutingKeys.of(method(name)))
			.withMessageContaining(name)
			.withMessageContaining("@RpcRouteKey at parameter 1 of type ")
			.withMessageContaining("expected: a string, a number, an enum, a record, a UUID");
	}

	@Test
	void secondRouteKey_isRejected() {
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> RoutingKeys.of(method("badTwo")))
			.withMessageContaining("@RpcRouteKey at parameters 1 and 2 (expected: one parameter)");
	}

	@Test
	void hashOfKey_dependsOnTextOnly() {
		assertThat(RoutingKeys.hash(4711L)).isEqualTo(RoutingKeys.hash("4711")).isEqualTo("4711".hashCode());
		assertThat(RoutingKeys.hash(TimeUnit.DAYS)).isEqualTo("DAYS".hashCode());
		assertThat(RoutingKeys.hash(new Pair("a", 1))).isEqualTo("Pair[shop=a, number=1]".hashCode());
		assertThat(RoutingKeys.hash(null)).isZero();
		assertThat(RoutingKeys.hash("")).as("a key all the same").isEqualTo(1);
	}

}
