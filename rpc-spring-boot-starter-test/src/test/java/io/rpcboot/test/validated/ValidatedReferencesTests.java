package io.rpcboot.test.validated;

import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.Broadcast;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.test.RpcTest;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.validation.annotation.Validated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Spring's validation of methods around references, by the interface or the caller. */
@RpcTest
class ValidatedReferencesTests {

	private static final AtomicInteger served = new AtomicInteger();

	@RpcReference
	private Labels labels;

	@Autowired
	private Printer printer;

	@BeforeEach
	void reset() {
		served.set(0);
	}

	@Test
	void validatedInterface_isCheckedBeforeCall() {
		assertThat(AopUtils.isAopProxy(this.labels)).isTrue();
		assertThat(this.labels.print("a")).isEqualTo("printed a");
		assertThatExceptionOfType(ConstraintViolationException.class).isThrownBy(() -> this.labels.print(" "))
			.withMessageContaining("must not be blank");
		assertThat(served).as("the second was not sent").hasValue(1);
	}

	/** The annotation of the interface applies to the bean that implements it, too. */
	@Test
	void validatedInterface_hasItsResultsChecked_atServer() {
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> this.labels.print("nothing"))
			.matches((ex) -> ex.status() == RpcStatus.APPLICATION)
			.matches((ex) -> ConstraintViolationException.class.getName().equals(ex.remoteType()));
		assertThat(served).hasValue(1);
	}

	/** A broadcast goes past what Spring has put around the reference. */
	@Test
	void broadcast_isCheckedByServerAlone() {
		assertThat(Broadcast.to(this.labels).call((each) -> each.print("a")).values()).containsExactly("printed a");
		assertThat(Broadcast.to(this.labels).call((each) -> each.print(" ")).failures()).singleElement()
			.satisfies((each) -> assertThat(each.failure()).hasMessageContaining("INVALID_ARGUMENT"));
		assertThat(served).hasValue(1);
	}

	@Test
	void validatedCaller_keepsItsReference() {
		assertThat(AopUtils.isCglibProxy(this.printer)).isTrue();
		assertThat(this.printer.print("a")).isEqualTo("printed a");
		assertThatExceptionOfType(ConstraintViolationException.class).isThrownBy(() -> this.printer.print(null));
		assertThat(served).hasValue(1);
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		LabelService labelService() {
			return new LabelService();
		}

		@Bean
		Printer printer() {
			return new Printer();
		}

	}

	@Validated
	public interface Labels {

		@NotNull
		@Nullable String print(@NotBlank @Nullable String text);

	}

	@RpcService
	static class LabelService implements Labels {

		@Override
		public @Nullable String print(@Nullable String text) {
			served.incrementAndGet();
			return "nothing".equals(text) ? null : "printed " + text;
		}

	}

	@Validated
	static class Printer {

		@RpcReference
		private Labels labels;

		@Nullable String print(@NotNull @Nullable String text) {
			return this.labels.print(text);
		}

	}

}
