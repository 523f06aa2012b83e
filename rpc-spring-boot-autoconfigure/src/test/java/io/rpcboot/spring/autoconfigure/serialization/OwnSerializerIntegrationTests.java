package io.rpcboot.spring.autoconfigure.serialization;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.UnsupportedTypeException;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceInfo;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.properties.InvalidPropertyException;
import io.rpcboot.spring.lines.LinesSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A serializer that the application wrote itself. */
@Timeout(60)
@Tag("jdk25")
public class OwnSerializerIntegrationTests {

	private static final Map<String, Object> LINES = Map.of("rpc.client.references.accounts.serializer", "lines",
			"rpc.server.services.AccountService.serializers", "lines", "rpc.client.serializer", "protostuff",
			"rpc.server.serializers", "protostuff");

	private static final Account ACCOUNT = new Account(1L << 40, "Doug\n\\n \ud83d\ude00", new byte[] { 1, -2 },
			new Limit(-5, null, 0.1));

	private static ConfigurableApplicationContext run(Map<String, Object> properties, Class<?>... beans) {
		return Applications.run(WebApplicationType.NONE, properties, beans);
	}

	@Test
	void serializer_isUsedByOneReferenceAndService() throws Exception {
		try (ConfigurableApplicationContext context = run(LINES, Own.class, Accounts.class, Teller.class,
				Applications.GreeterService.class, Guest.class)) {
			AccountService accounts = context.getBean(Teller.class).accounts;
			assertThat(accounts.same(ACCOUNT)).usingRecursiveComparison().isEqualTo(ACCOUNT);
			assertThat(accounts.same(null)).isNull();
			assertThat(accounts.sum((byte) 1, 2, 3L, 0.5f, null)).isEqualTo(6.5);
			assertThat(accounts.later("a").get()).isEqualTo("later a");
			accounts.nothing();
			assertThat(context.getBean(Guest.class).greeter.greet("Doug")).isEqualTo("Hello Doug");
			assertThat(serializersOf(context, "AccountService")).containsExactly("lines");
			assertThat(serializersOf(context, "Greeter")).containsExactly("protostuff");
		}
	}

	@Test
	void declaredException_reachesCaller() {
		try (ConfigurableApplicationContext context = run(LINES, Own.class, Accounts.class, Teller.class)) {
			AccountService accounts = context.getBean(Teller.class).accounts;
			assertThatExceptionOfType(OverdrawnException.class).isThrownBy(() -> accounts.withdraw(7))
				.withMessage("7 too much");
			assertThatExceptionOfType(OverdrawnException.class).isThrownBy(() -> accounts.withdraw(0))
				.withMessage("a subclass");
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> accounts.withdraw(-7))
				.withMessageContaining(IllegalArgumentException.class.getName())
				.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.APPLICATION));
		}
	}

	/** The text is half of a pair, which UTF-8 cannot have; the connection stays. */
	@Test
	void unsupportedValue_failsOnlyItsCall() {
		try (ConfigurableApplicationContext context = run(LINES, Own.class, Accounts.class, Teller.class)) {
			AccountService accounts = context.getBean(Teller.class).accounts;
			assertThatException().isThrownBy(() -> accounts.later("\ud83d").get())
				.withMessageContaining("half of a surrogate pair");
			assertThat(accounts.later("b").join()).isEqualTo("later b");
		}
	}

	@Test
	void onlySerializerBean_isDefault() {
		try (ConfigurableApplicationContext context = run(Map.of(), Own.class, Accounts.class, Clerk.class)) {
			assertThat(context.getBean(Clerk.class).accounts.same(ACCOUNT)).usingRecursiveComparison()
				.isEqualTo(ACCOUNT);
			assertThat(serializersOf(context, "AccountService")).containsExactly("lines");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "rpc.client.serializer", "rpc.client.references.accounts.serializer",
			"rpc.server.serializers", "rpc.server.services.AccountService.serializers" })
	void unknownSerializerName_failsStartup(String property) {
		assertThatException().isThrownBy(() -> run(Map.of(property, "line"), Own.class, Accounts.class, Teller.class))
			.havingRootCause()
			.isInstanceOf(InvalidPropertyException.class)
			.withMessageStartingWith(property + ": 'line' (expected: one of protostuff, json, lines)");
	}

	@Test
	void service_failsStartup_withUnsupportedType() {
		assertThatException()
			.isThrownBy(
					() -> run(Map.of("rpc.server.services.ListService.serializers", "lines"), Own.class, Lists.class))
			.havingRootCause()
			.isInstanceOf(UnsupportedTypeException.class)
			.withMessageContaining(ListService.class.getName() + ".names(")
			.withMessageContaining("parameter 1.names: java.util.List cannot be sent by the serializer 'lines'");
	}

	@Test
	void reference_failsStartup_withUnsupportedType() {
		assertThatException()
			.isThrownBy(
					() -> run(Map.of("rpc.client.references.lists.serializer", "lines", "rpc.server.enabled", false),
							Own.class, Reader.class))
			.havingRootCause()
			.isInstanceOf(RpcConfigurationException.class)
			.withMessageStartingWith("@RpcReference of " + ListService.class.getName())
			.withMessageContaining("java.util.List cannot be sent by the serializer 'lines'");
	}

	private static Iterable<String> serializersOf(ConfigurableApplicationContext context, String service) {
		return context.getBean(RpcServer.class)
			.services()
			.stream()
			.filter((each) -> each.service().toString().contains(service))
			.map(ServiceInfo::serializers)
			.findFirst()
			.orElseThrow();
	}

	public record Account(long id, String owner, byte[] key, Limit limit) {
	}

	public record Limit(int least, Short most, double rate) {
	}

	public record Names(String title, List<String> names) {
	}

	/** A declared exception. */
	public static class OverdrawnException extends Exception {

		private static final long serialVersionUID = 1L;

		public OverdrawnException(String message) {
			super(message);
		}

	}

	public interface AccountService {

		Account same(Account account);

		double sum(byte first, int second, Long third, float fourth, Double fifth);

		CompletableFuture<String> later(String text);

		void nothing();

		void withdraw(int amount) throws OverdrawnException;

	}

	public interface ListService {

		void names(Names names);

	}

	@RpcService
	static class Accounts implements AccountService {

		@Override
		public Account same(Account account) {
			return account;
		}

		@Override
		public double sum(byte first, int second, Long third, float fourth, Double fifth) {
			return first + second + third + fourth + ((fifth != null) ? fifth : 0);
		}

		@Override
		public CompletableFuture<String> later(String text) {
			return CompletableFuture.completedFuture("later " + text);
		}

		@Override
		public void nothing() {
		}

		@Override
		public void withdraw(int amount) throws OverdrawnException {
			if (amount < 0) {
				throw new IllegalArgumentException("amount: " + amount + " (expected: 0 or more)");
			}
			throw (amount > 0) ? new OverdrawnException(amount + " too much") : new OverdrawnException("a subclass") {

				private static final long serialVersionUID = 1L;

			};
		}

	}

	@RpcService
	static class Lists implements ListService {

		@Override
		public void names(Names names) {
		}

	}

	static class Teller {

		@RpcReference(name = "accounts")
		private AccountService accounts;

	}

	static class Clerk {

		@RpcReference
		private AccountService accounts;

	}

	static class Guest {

		@RpcReference
		private Greeter greeter;

	}

	static class Reader {

		@RpcReference(name = "lists")
		private ListService lists;

	}

	static class Own {

		@Bean
		Serializer lines() {
			return new LinesSerializer();
		}

	}

}
