package io.rpcboot.serialization.jackson;

import java.nio.charset.StandardCharsets;

import io.rpcboot.serialization.AbstractReadBudgetContract;

/** Tests the limits for the worst JSON. */
class JacksonReadBudgetTests extends AbstractReadBudgetContract {

	JacksonReadBudgetTests() {
		super(new JacksonSerializer());
	}

	@Override
	protected byte[] emptyBeans(int count) {
		return ("[{}" + ",{}".repeat(count - 1) + "]").getBytes(StandardCharsets.UTF_8);
	}

}
