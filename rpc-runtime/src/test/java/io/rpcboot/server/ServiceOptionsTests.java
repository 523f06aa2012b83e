package io.rpcboot.server;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcMethod;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.server.services.ServicePolicy;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

@Tag("jdk25")
class ServiceOptionsTests {

	private static final ServiceDescriptor SERVICE = ServiceDescriptor.of(Store.class);

	/** A contract. */
	public interface Store extends Puts<String> {

		@RpcMethod(nonBlocking = true)
		int size();

		int slow();

		int slow(int number);

	}

	/** Its generic part. */
	public interface Puts<T> {

		void put(T value);

	}

	private static class StoreImpl implements Store {

		@Override
		public int size() {
			return 0;
		}

		@Override
		public int slow() {
			return 0;
		}

		@Override
		public int slow(int number) {
			return 0;
		}

		@Override
		@RpcMethod(nonBlocking = true)
		public void put(String value) {
		}

	}

	@Test
	void dispatchOfServer_applies_withoutOtherOptions() {
		assertThat(choices(ServiceOptions.defaults())).containsOnly(entry("size()", Dispatch.EVENT_LOOP),
				entry("slow()", Dispatch.POOL), entry("slow(int)", Dispatch.POOL),
				entry("put(java.lang.Object)", Dispatch.POOL));
	}

	@Test
	void implementation_mayDeclareNonBlockingMethods() {
		assertThat(choices(ServiceOptions.defaults().withImplementation(StoreImpl.class)))
			.containsEntry("put(java.lang.Object)", Dispatch.EVENT_LOOP)
			.containsEntry("size()", Dispatch.EVENT_LOOP)
			.containsEntry("slow()", Dispatch.POOL);
	}

	@Test
	void otherImplementationClass_isIgnored() {
		assertThat(choices(ServiceOptions.defaults().withImplementation(String.class)))
			.containsEntry("size()", Dispatch.EVENT_LOOP)
			.containsEntry("slow()", Dispatch.POOL);
	}

	@Test
	void methodOption_precedesServiceOptionAndAnnotation() {
		ServiceOptions options = ServiceOptions.defaults()
			.withDispatch(Dispatch.POOL)
			.withDispatch("slow", Dispatch.EVENT_LOOP);
		assertThat(choices(options)).containsOnly(entry("size()", Dispatch.POOL), entry("slow()", Dispatch.EVENT_LOOP),
				entry("slow(int)", Dispatch.EVENT_LOOP), entry("put(java.lang.Object)", Dispatch.POOL));
	}

	@Test
	void unknownMethod_isRejected() {
		ServiceOptions options = ServiceOptions.defaults().withDispatch("sise", Dispatch.POOL);
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> RpcServer.builder().service(SERVICE, StoreImpl::new, options))
			.withMessage("services.%s.methods: 'sise' (expected: a method of the interface: put, size, slow)"
				.formatted(Store.class.getName()));
	}

	@Test
	void clientOptions_areRejected_onImplementation() {
		Store late = new StoreImpl() {
			@Override
			@RpcMethod(timeout = "1s")
			public int slow() {
				return 0;
			}
		};
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> RpcServer.builder().service(Store.class, late))
			.withMessage(
					"%s.slow(): its implementation sets oneWay, timeout, idempotent, safe, hedged, name or bare in @RpcMethod (expected: nonBlocking only)"
						.formatted(Store.class.getName()));
		Store silent = new StoreImpl() {
			@Override
			@RpcMethod(oneWay = true)
			public void put(String value) {
			}
		};
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> RpcServer.builder().service(Store.class, silent))
			.withMessageContaining(
					".put(java.lang.Object): its implementation sets oneWay, timeout, idempotent, safe, hedged, name or bare");
		Store twice = new StoreImpl() {
			@Override
			@RpcMethod(hedged = true)
			public int size() {
				return 0;
			}
		};
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> RpcServer.builder().service(Store.class, twice))
			.withMessageContaining(
					".size(): its implementation sets oneWay, timeout, idempotent, safe, hedged, name or bare");
		Store safe = new StoreImpl() {
			@Override
			@RpcMethod(safe = true)
			public int size() {
				return 0;
			}
		};
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> RpcServer.builder().service(Store.class, safe))
			.withMessageContaining(".size(): its implementation sets");
		Store named = new StoreImpl() {
			@Override
			@RpcMethod(name = "Count")
			public int size() {
				return 0;
			}
		};
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> RpcServer.builder().service(Store.class, named))
			.withMessageContaining(
					".size(): its implementation sets oneWay, timeout, idempotent, safe, hedged, name or bare");
	}

	@Test
	@EnabledForJreRange(max = JRE.JAVA_20)
	void virtualDispatch_isRejected_belowJava21() {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> RpcServer.builder().dispatch(Dispatch.VIRTUAL))
			.withMessageStartingWith(
					"dispatch: virtual (expected: pool or event-loop, because virtual needs Java 21 or later");
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> ServiceOptions.defaults().withDispatch(Dispatch.VIRTUAL))
			.satisfies((ex) -> assertThat(ex.name()).isEqualTo("dispatch"));
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> ServiceOptions.defaults().withDispatch("slow", Dispatch.VIRTUAL))
			.satisfies((ex) -> assertThat(ex.name()).isEqualTo("methods.slow.dispatch"));
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void virtualDispatch_isAccepted_onJava21() {
		assertThat(RpcServer.builder().dispatch(Dispatch.VIRTUAL).options.dispatch).isEqualTo(Dispatch.VIRTUAL);
		assertThat(choices(ServiceOptions.defaults().withDispatch("slow", Dispatch.VIRTUAL))).containsEntry("slow()",
				Dispatch.VIRTUAL);
	}

	private static Map<String, Dispatch> choices(ServiceOptions options) {
		return SERVICE.methods().stream().collect(Collectors.toMap(MethodDescriptor::signature, dispatchBy(options)));
	}

	private static Function<MethodDescriptor, Dispatch> dispatchBy(ServiceOptions options) {
		return (method) -> new ServicePolicy(options).dispatchOf(method, Dispatch.POOL);
	}

}
