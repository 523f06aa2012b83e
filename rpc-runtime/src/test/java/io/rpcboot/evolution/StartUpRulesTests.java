package io.rpcboot.evolution;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Names that could mean two things are refused at start-up, with what to do.
 */
class StartUpRulesTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					class User { int a; @RpcAlias("a") int b; } \
					| alias 'a' of field b of evolution.Api$User is also the name or an alias of a member of the type
					class User { @RpcAlias("c") int a; @RpcAlias("c") int b; } \
					| alias 'c' of field b of evolution.Api$User is also
					class User { @RpcAlias("a") int a; } \
					| alias 'a' of field a of evolution.Api$User is also
					class Base { int a; } class User extends Base { @RpcAlias("a") int b; } \
					| alias 'a' of field b of evolution.Api$User is also
					record User(int a, @RpcAlias("a") int b) { } static Object value() { return null; } \
					| alias 'a' of field b of evolution.Api$User is also
					enum E { A, @RpcAlias("A") B } class User { E e; } \
					| alias 'A' of constant B of evolution.Api$E is also
					class Gone extends Exception { int a; @RpcAlias("a") int b; } class User { } void exchange() throws Gone; \
					| alias 'a' of field b of evolution.Api$Gone is also
					class User { } void exchange(int a); @RpcAlias("exchange") void other(int a); \
					| alias 'exchange' of method other(int) also means method exchange(int)
					class User { } @RpcAlias("exchange") void one(int a); @RpcAlias("exchange") void other(int a); \
					| alias 'exchange' of method other(int) also means method one(int)
					class User { @RpcAlias("my name") int a; } \
					| alias 'my name' of field a of evolution.Api$User: a name that cannot be sent
					@RpcAlias("") class User { } \
					| alias '' of class evolution.Api$User: a name that cannot be sent
					class Old { int a; } @RpcAlias("evolution.Api$Old") class User { Old old; } \
					| alias 'evolution.Api$Old' of class evolution.Api$User is also the name or an alias of class evolution.Api$Old
					@RpcAlias("Former") enum E { A } @RpcAlias("Former") class User { E e; } \
					| alias 'Former' of class evolution.Api$User is also the name or an alias of class evolution.Api$E
					@RpcAlias("Former") class Gone extends Exception { } @RpcAlias("Former") class User { } void other() throws Gone; \
					| alias 'Former' of class evolution.Api$User is also the name or an alias of class evolution.Api$Gone
					enum E { @RpcEnumDefault A, B, @RpcEnumDefault C } class User { E e; } \
					| evolution.Api$E: constants A and C both have @RpcEnumDefault (expected: at most one)
					""")
	void ambiguousNames_areRefused_atStartUp(String body, String message) {
		CompiledVersion version = CompiledVersion.of(body);
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> new ProtostuffSerializer().codec(version.descriptor()))
			.withMessageStartingWith(message.strip())
			.satisfies((ex) -> assertThat(ex.action()).contains("@Rpc"));
	}

}
