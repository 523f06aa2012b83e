package io.rpcboot.test.validation;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcMethod;
import io.rpcboot.context.RpcContext;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

import org.springframework.validation.annotation.Validated;

public interface Orders {

	String place(@Valid @NotNull Order order, @Positive int copies);

	CompletableFuture<String> placeLater(@Nullable RpcContext call, @Valid @NotNull Order order);

	@RpcMethod(oneWay = true)
	void note(@NotBlank String text);

	@Validated(Strict.class)
	String strict(@Positive int ignored, @Size(max = 3, groups = Strict.class) String text);

	String free(String text);

	interface Strict {

	}

	record Order(@NotBlank String customer, @Valid List<Line> lines) {
	}

	record Line(@Positive int amount) {
	}

}
