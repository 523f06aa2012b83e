package io.rpcboot.spring.actuate.findings;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.rpcboot.ServiceId;
import io.rpcboot.Side;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.metrics.history.MethodStats;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.server.ServiceInfo;
import io.rpcboot.spring.actuate.descriptor.Finding;
import io.rpcboot.spring.actuate.descriptor.Finding.Severity;
import io.rpcboot.spring.actuate.findings.DiagnosticSnapshot.OfRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** All findings together: the worst, and few of them. */
@ExtendWith(OutputCaptureExtension.class)
class DiagnosticsTests {

	/** As long as a peer's answer may be. */
	private static final String LONG = "x".repeat(4000);

	/** Everything that may be wrong with references and methods is, in many places. */
	private static DiagnosticSnapshots broken() {
		List<ReferenceInfo> references = new ArrayList<>();
		List<MethodStats> methods = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			int name = i;
			references.add(DiagnosticSnapshots.reference("demo.Away" + i, IntStream.range(0, 50)
				.mapToObj(
						(host) -> DiagnosticSnapshots.instance("away" + host + "of" + name, State.BACKING_OFF, 0, LONG))
				.toArray(ReferenceInfo.Instance[]::new)));
			references.add(DiagnosticSnapshots.reference("demo.Old" + i,
					DiagnosticSnapshots.instance("old", State.READY, 0, LONG)));
			methods.add(new MethodStats(Side.SERVER, "demo.Failing", "count" + i + "()", 10, 5, 600, 300, 1, 1, 1, 0, 0,
					true));
			methods.add(DiagnosticSnapshots.method(Side.SERVER, "demo.Slow", "report" + i + "()", Duration.ofSeconds(1),
					Duration.ofSeconds(2)));
		}
		for (int i = 0; i < 200; i++) {
			methods.add(DiagnosticSnapshots.method(Side.SERVER, "demo.Quick", "get" + i + "()", Duration.ofMillis(1),
					Duration.ofMillis(1)));
		}
		return new DiagnosticSnapshots()
			.registry(new OfRegistry("zookeeper", "zookeeper at zk1", RegistryState.DISCONNECTED, null, ""))
			.references(references.toArray(ReferenceInfo[]::new))
			.methods(methods.toArray(MethodStats[]::new))
			.calls(1000, 5)
			.past("lostCalls", 1)
			.past("expired", 1);
	}

	@Test
	void findings_areSortedBySeverityAndRestIsCounted() {
		List<Finding> found = broken().find();
		assertThat(found).hasSize(Diagnostics.MOST)
			.isSortedAccordingTo((one, other) -> one.severity().compareTo(other.severity()));
		assertThat(found.get(0).text()).startsWith("The registry (zookeeper at zk1) is lost");
		assertThat(found.get(Diagnostics.MOST - 1)).satisfies((last) -> {
			assertThat(last.severity()).isEqualTo(Severity.NOTE);
			assertThat(last.text()).isEqualTo("4 more findings are left out.");
		});
	}

	@Test
	void failingCheck_isLoggedOnceByName_andOtherChecksRun(CapturedOutput output) {
		ServiceInfo unfit = new ServiceInfo(ServiceId.parse("demo.Stock"), List.of("count()"), "hash",
				List.of("protostuff"), null, Map.of(), null, 0, List.of(), List.of(), List.of(), 1, null, null);
		DiagnosticSnapshot snapshot = broken().services(unfit).build();
		Diagnostics diagnostics = new Diagnostics();
		for (int i = 0; i < 3; i++) {
			assertThat(diagnostics.of(snapshot).said()).extracting(Finding::kind)
				.contains("LOST_REGISTRY", "NO_INSTANCE", "FAILING_METHOD");
		}
		assertThat(output.getAll().lines().filter((line) -> line.contains("The check BLOCKING_METHOD fails")))
			.singleElement()
			.asString()
			.contains("WARN");
		assertThat(output).contains("IndexOutOfBoundsException");
	}

	@Test
	void findings_stayWithinSizeLimit_withLongPeerMessages() {
		assertThat(JsonMapper.shared().writeValueAsBytes(broken().find())).hasSizeLessThan(16 * 1024);
	}

}
