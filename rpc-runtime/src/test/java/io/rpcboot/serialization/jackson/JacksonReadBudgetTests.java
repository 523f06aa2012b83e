package io.rpcboot.serialization.jackson;

import java.nio.charset.StandardCharsets;

import io.rpcboot.serialization.AbstractReadBudgetContract;

/** What the worst JSON may take. */
class JacksonReadBudgetTests extends AbstractReadBudgetContract {

	JacksonReadBudgetTests() {
		super(new JacksonSerializer());
	}

	@Override
	protected byte[] emptyBeans(int count) {
		return ("[{}" + ",{}".repeat(count - 1) + "]").getBytes(StandardCharsets.UTF_8);
	}

}
