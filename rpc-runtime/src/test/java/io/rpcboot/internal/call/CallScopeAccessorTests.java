package io.rpcboot.internal.call;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.micrometer.context.ContextExecutorService;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ContextSnapshotFactory;
import io.rpcboot.context.CallOptions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CallScopeAccessorTests {

	@Test
	void accessor_isFoundByContextLibrary() {
		assertThat(ContextRegistry.getInstance().getThreadLocalAccessors()).extracting("class")
			.contains(CallScopeAccessor.class);
	}

	@Test
	void callOptions_followTaskAndAreClearedAfterwards() throws Exception {
		ExecutorService plain = Executors.newSingleThreadExecutor();
		try {
			ContextSnapshotFactory snapshots = ContextSnapshotFactory.builder().build();
			ExecutorService along = ContextExecutorService.wrap(plain, snapshots::captureAll);
			List<String> seen = new ArrayList<>();
			CallOptions.with("tenant", "acme").call(() -> along.submit(() -> seen.add(tenant())).get());
			along.submit(() -> seen.add(tenant())).get();
			plain.submit(() -> seen.add(tenant())).get();
			assertThat(seen).containsExactly("acme", "nobody", "nobody");
			assertThat(CallOptions.current()).isNull();
		}
		finally {
			plain.shutdownNow();
			assertThat(plain.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
		}
	}

	private static String tenant() {
		CallOptions options = CallOptions.current();
		return (options != null) ? String.valueOf(options.attachments().get("tenant")) : "nobody";
	}

}
