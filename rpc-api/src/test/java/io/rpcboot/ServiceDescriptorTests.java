package io.rpcboot;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.context.RpcContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ServiceDescriptorTests {

	public interface Overloads {

		String find(long id);

		String find(String name);

		String find(List<String> names, int[] sizes);

		static void helper() {
		}

		default String hello() {
			return "hello";
		}

		@RpcMethod
		default String welcome() {
			return "welcome";
		}

		@Override
		String toString();

		boolean equals(String other);

	}

	public interface AliasOfLocal {

		void call();

		@RpcAlias("former")
		default void body() {
		}

	}

	public interface OnlyBodies {

		default void body() {
		}

	}

	public interface Base<T> {

		Number first();

		T find(T example);

	}

	public interface Derived extends Base<String> {

		@Override
		Integer first();

		CompletableFuture<String> later() throws IOException, IllegalStateException;

		CompletionStage<String> stage();

	}

	public interface Policies {

		@RpcMethod(oneWay = true)
		void tell();

		@RpcMethod(timeout = "500ms")
		void simple();

		@RpcMethod(timeout = "PT1M30S")
		void iso();

		@RpcMethod
		void none();

		void plain();

	}

	public interface OneWayResult {

		@RpcMethod(oneWay = true)
		String tell();

	}

	public interface OneWayException {

		@RpcMethod(oneWay = true)
		void tell() throws IOException;

	}

	public interface NameWithDigitFirst {

		@RpcMethod(name = "1st")
		void call();

	}

	public interface NameWithDot {

		@RpcMethod(name = "a.b")
		void call();

	}

	@RpcContract(name = "acme..Users")
	public interface ContractWithEmptyPart {

		void call();

	}

	@RpcContract(name = "/acme.Users")
	public interface ContractWithSlash {

		void call();

	}

	@RpcContract(name = "")
	public interface ContractBlank {

		void call();

	}

	public interface NameBlank {

		@RpcMethod(name = " ")
		void call();

	}

	public interface TimeoutZero {

		@RpcMethod(timeout = "0s")
		void call();

	}

	public interface TimeoutNegative {

		@RpcMethod(timeout = "PT-1S")
		void call();

	}

	public interface TimeoutText {

		@RpcMethod(timeout = "soon")
		void call();

	}

	public interface TimeoutWithoutUnit {

		@RpcMethod(timeout = "500")
		void call();

	}

	public interface TimeoutHuge {

		@RpcMethod(timeout = "99999999999999999999s")
		void call();

	}

	public interface TwoContexts {

		void call(RpcContext first, long number, RpcContext second);

	}

	public interface WithAndWithoutContext {

		void call(long number);

		void call(long number, RpcContext context);

	}

	public interface Contexts {

		void b(RpcContext context, String text);

		void a(long number, RpcContext context);

		void c(long number);

	}

	public interface Empty {

		static void helper() {
		}

	}

	interface Hidden {

		void call();

	}

	@Test
	void methods_areNumberedBySignature() {
		ServiceDescriptor service = ServiceDescriptor.of(Overloads.class, "2", "blue");
		assertThat(service.id()).isEqualTo(new ServiceId(Overloads.class.getName(), "2", "blue"));
		assertThat(service.methods()).extracting(MethodDescriptor::signature)
			.containsExactly("equals(java.lang.String)", "find(java.lang.String)", "find(java.util.List,int[])",
					"find(long)", "welcome()");
		assertThat(service.methods()).extracting(MethodDescriptor::number).containsExactly(0, 1, 2, 3, 4);
		assertThat(service.methods().get(3)).hasToString(Overloads.class.getName() + ":2@blue.find(long)");
		assertThat(service.methods().get(3).name()).isEqualTo("find");
	}

	@Test
	void defaultMethod_isLocal_withoutAnnotation() throws NoSuchMethodException {
		assertThat(ServiceDescriptor.isLocal(Overloads.class.getMethod("hello"))).isTrue();
		assertThat(ServiceDescriptor.isLocal(Overloads.class.getMethod("welcome"))).isFalse();
		assertThat(ServiceDescriptor.isLocal(Overloads.class.getMethod("toString"))).isTrue();
		assertThat(ServiceDescriptor.isLocal(Overloads.class.getMethod("equals", String.class))).isFalse();
		assertThat(ServiceDescriptor.isLocal(Overloads.class.getMethod("find", long.class))).isFalse();
	}

	@Test
	void alias_isRejected_onLocalMethod() {
		refused(AliasOfLocal.class, AliasOfLocal.class.getName()
				+ ".body() has @RpcAlias and is executed at the caller, because it is a default method without @RpcMethod");
	}

	@Test
	void inheritedMethod_hasMostSpecificResult() {
		ServiceDescriptor service = ServiceDescriptor.of(Derived.class);
		MethodDescriptor first = method(service, "first()");
		assertThat(first.method().getReturnType()).isEqualTo(Integer.class);
		assertThat(first.style()).isEqualTo(Style.BLOCKING);
		assertThat(service.methods()).filteredOn((method) -> method.name().equals("first")).hasSize(1);
	}

	@Test
	void inheritedGenericMethod_isMethodOfService() {
		assertThat(ServiceDescriptor.of(Derived.class).methods()).extracting(MethodDescriptor::signature)
			.containsExactly("find(java.lang.Object)", "first()", "later()", "stage()");
	}

	@Test
	void futureMethods_areRecognizedByReturnType() {
		ServiceDescriptor service = ServiceDescriptor.of(Derived.class);
		assertThat(method(service, "later()").style()).isEqualTo(Style.FUTURE);
		assertThat(method(service, "stage()").style()).isEqualTo(Style.FUTURE);
		assertThat(method(service, "later()").declaredExceptions()).containsExactly(IOException.class,
				IllegalStateException.class);
	}

	@Test
	void methodAnnotations_determineStyleAndTimeout() {
		ServiceDescriptor service = ServiceDescriptor.of(Policies.class);
		assertThat(method(service, "tell()").style()).isEqualTo(Style.ONE_WAY);
		assertThat(method(service, "tell()").timeout()).isNull();
		assertThat(method(service, "simple()").timeout()).isEqualTo(Duration.ofMillis(500));
		assertThat(method(service, "iso()").timeout()).isEqualTo(Duration.ofSeconds(90));
		assertThat(method(service, "none()").timeout()).isNull();
		assertThat(method(service, "plain()").style()).isEqualTo(Style.BLOCKING);
	}

	private static MethodDescriptor method(ServiceDescriptor service, String signature) {
		return service.methods()
			.stream()
			.filter((method) -> method.signature().equals(signature))
			.findFirst()
			.orElseThrow();
	}

	@ParameterizedTest
	@ValueSource(classes = { OneWayResult.class, OneWayException.class })
	void oneWayMethod_isRejected_withResultOrException(Class<?> type) {
		refused(type, type.getName() + ".tell() is one-way but returns a value or declares an exception");
	}

	@ParameterizedTest
	@ValueSource(classes = { NameWithDigitFirst.class, NameWithDot.class, NameBlank.class })
	void invalidName_isRejected_withItsText(Class<?> type) throws NoSuchMethodException {
		refused(type, "%s.call() has name = \"%s\" (expected: letters, digits and '_', the first a letter)"
			.formatted(type.getName(), type.getMethod("call").getAnnotation(RpcMethod.class).name()));
	}

	@ParameterizedTest
	@ValueSource(classes = { ContractWithEmptyPart.class, ContractWithSlash.class, ContractBlank.class })
	void invalidNameOfContract_isRejected_withItsText(Class<?> type) {
		refused(type,
				"Interface %s has name = \"%s\" (expected: letters, digits and '_' with dots between, such as acme.users.v1.UserService)"
					.formatted(type.getName(), type.getAnnotation(RpcContract.class).name()));
	}

	@ParameterizedTest
	@ValueSource(classes = { TimeoutZero.class, TimeoutNegative.class, TimeoutText.class, TimeoutWithoutUnit.class,
			TimeoutHuge.class })
	void invalidTimeout_isRejected_withItsText(Class<?> type) throws NoSuchMethodException {
		String text = type.getMethod("call").getAnnotation(RpcMethod.class).timeout();
		refused(type, "%s.call() has timeout = \"%s\" (expected: a positive duration such as 500ms, 2s or PT2S)"
			.formatted(type.getName(), text));
	}

	@Test
	void serviceType_isRejected_unlessPublicInterfaceWithMethods() {
		refused(String.class, "java.lang.String is a class (expected: an interface)");
		refused(Override.class, "java.lang.Override is an annotation (expected: an interface)");
		refused(Empty.class, "Interface %s has no methods to call".formatted(Empty.class.getName()));
		refused(OnlyBodies.class, "Interface %s has no methods to call".formatted(OnlyBodies.class.getName()));
		refused(Hidden.class, "Interface %s cannot be called from outside its package, because it is not public"
			.formatted(Hidden.class.getName()));
	}

	@Test
	void contextParameter_isExcludedFromSignature() {
		List<MethodDescriptor> methods = ServiceDescriptor.of(Contexts.class).methods();
		assertThat(methods).extracting(MethodDescriptor::signature)
			.containsExactly("a(long)", "b(java.lang.String)", "c(long)");
		assertThat(methods).extracting(MethodDescriptor::contextParameter).containsExactly(1, 0, -1);
	}

	@Test
	void ambiguousContextParameters_areRejected() {
		refused(TwoContexts.class, TwoContexts.class.getName()
				+ ".call(long) has 2 parameters for the context of the call (expected: at most one)");
		refused(WithAndWithoutContext.class, WithAndWithoutContext.class.getName()
				+ ".call(long) is declared with and without RpcContext, which callers cannot tell apart");
	}

	@Test
	void interface_isRejected_whenItsPackageIsNotExported() throws ClassNotFoundException {
		Class<?> internal = Class.forName("jdk.internal.misc.VM$BufferPool");
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> ServiceDescriptor.of(internal))
			.withMessage(
					"Interface jdk.internal.misc.VM$BufferPool is in package jdk.internal.misc, which module java.base"
							+ " does not export")
			.satisfies((ex) -> assertThat(ex.action())
				.isEqualTo("Add 'exports jdk.internal.misc;' to the module's module-info.java."));
	}

	private static void refused(Class<?> type, String message) {
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> ServiceDescriptor.of(type))
			.withMessage(message.replace("%", "%%"))
			.satisfies((ex) -> assertThat(ex.action()).isNotBlank());
	}

}
