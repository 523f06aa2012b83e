package io.rpcboot.spring.actuate.findings;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceId;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceInfo.Calls;
import io.rpcboot.client.ReferenceInfo.Instance;
import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.server.RegistrationInfo;
import io.rpcboot.server.RegistrationInfo.Mode;
import io.rpcboot.spring.actuate.descriptor.Finding;
import io.rpcboot.spring.actuate.descriptor.Finding.Severity;
import io.rpcboot.spring.actuate.findings.DiagnosticSnapshot.OfRegistry;
import io.rpcboot.spring.discovery.DiscoveryOptions;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the checks of the registry and of other processes. */
class DependencyChecksTests {

	private static DiagnosticSnapshots registry(RegistryState state) {
		return new DiagnosticSnapshots().registry(new OfRegistry("zookeeper", "zookeeper at zk1", state,
				DiagnosticSnapshots.NOW.minus(Duration.ofMinutes(3)), ""));
	}

	@Test
	void registryFinding_namesReason_whenRegistryRefuses() {
		assertThat(new DiagnosticSnapshots()
			.registry(new OfRegistry("zookeeper", "zookeeper at zk1", RegistryState.CONNECTING, null,
					"refuses the user 'shop'"))
			.find()).singleElement()
			.satisfies((finding) -> assertThat(finding.text())
				.isEqualTo("The registry (zookeeper at zk1) cannot be used: refuses the user 'shop'."));
	}

	@Test
	void lostRegistry_isFoundWithStartTime() {
		assertThat(registry(RegistryState.DISCONNECTED).find()).singleElement().satisfies((finding) -> {
			assertThat(finding.severity()).isEqualTo(Severity.ERROR);
			assertThat(finding.text()).isEqualTo("The registry (zookeeper at zk1) is lost.");
			assertThat(finding.since()).isEqualTo(DiagnosticSnapshots.NOW.minus(Duration.ofMinutes(3)).toEpochMilli());
			assertThat(finding.property()).isEqualTo("rpc.registry.zookeeper.connect-string");
			assertThat(finding.advice()).contains("no restart of this application is needed");
		});
		assertThat(registry(RegistryState.CONNECTING).find()).extracting(Finding::text)
			.containsExactly("The registry (zookeeper at zk1) has not been reached for 3 min.");
	}

	@Test
	void lostRegistry_isFoundWithoutDuration_whenStartTimeIsInFuture() {
		assertThat(new DiagnosticSnapshots()
			.registry(new OfRegistry("zookeeper", "zookeeper at zk1", RegistryState.DISCONNECTED,
					DiagnosticSnapshots.NOW.plus(Duration.ofHours(1)), ""))
			.find()).extracting(Finding::text).containsExactly("The registry (zookeeper at zk1) is lost.");
	}

	@Test
	void lostRegistry_isFound_withoutStartTime() {
		assertThat(new DiagnosticSnapshots()
			.registry(new OfRegistry("custom", "of theirs", RegistryState.DISCONNECTED, null, ""))
			.find()).extracting(Finding::text).containsExactly("The registry (of theirs) is lost.");
	}

	@Test
	void advice_matchesKindOfLostRegistry() {
		assertThat(new DiagnosticSnapshots()
			.registry(new OfRegistry("discovery-client", "the DiscoveryClient (Eureka)", RegistryState.DISCONNECTED,
					null, "Application users: ConnectException, for 12 s"))
			.find()).singleElement().satisfies((finding) -> {
				assertThat(finding.text()).contains("Application users: ConnectException, for 12 s");
				assertThat(finding.property()).isNull();
				assertThat(finding.advice()).contains("Look at the discovery system and the network");
			});
		assertThat(new DiagnosticSnapshots()
			.registry(new OfRegistry("custom", "of theirs", RegistryState.CONNECTING, null, ""))
			.find()).singleElement().satisfies((finding) -> {
				assertThat(finding.property()).isNull();
				assertThat(finding.advice()).startsWith("Does the registry run there");
			});
	}

	@Test
	void missingInstanceFinding_namesPropertyOfSource() {
		assertThat(missingAt("discovery-client").property()).isEqualTo(DiscoveryOptions.APPLICATIONS);
		assertThat(missingAt(new InMemoryRegistry().kind()).property())
			.isEqualTo("rpc.registry.zookeeper.connect-string");
		assertThat(missingAt("dns")).satisfies((finding) -> {
			assertThat(finding.property()).isNull();
			assertThat(finding.advice()).contains("addresses of this reference");
		});
		assertThat(missingAt("consul").property()).isNull();
	}

	private static Finding missingAt(String kind) {
		ReferenceInfo reference = new ReferenceInfo(ServiceId.parse("demo.Stock"), Protocol.NATIVE, "somewhere", kind,
				true, List.of(), 0, null);
		return new DiagnosticSnapshots().references(reference).find().get(0);
	}

	@Test
	void connectedRegistry_isNotFound() {
		assertThat(registry(RegistryState.CONNECTED).find()).isEmpty();
		assertThat(new DiagnosticSnapshots().find()).isEmpty();
	}

	@Test
	void reference_isFoundWithSetting_thatTheReasonNames() {
		assertThat(new DiagnosticSnapshots().references(DiagnosticSnapshots.reference("demo.Stock",
				DiagnosticSnapshots.instance("10.0.0.5", State.BACKING_OFF, 0,
						"the server speaks clear text (expected: TLS, by rpc.client.ssl.bundle)")))
			.find()).singleElement().satisfies((finding) -> {
				assertThat(finding.property()).isEqualTo("rpc.client.ssl.bundle");
				assertThat(finding.advice()).contains("Correct rpc.client.ssl.bundle, or the setting of the server");
			});
	}

	@Test
	void reference_isFoundWithReason_withoutInstance() {
		assertThat(new DiagnosticSnapshots().references(DiagnosticSnapshots.reference("demo.Stock:2",
				DiagnosticSnapshots.instance("10.0.0.5", State.BACKING_OFF, 0, "cannot connect")))
			.find()).singleElement().satisfies((finding) -> {
				assertThat(finding.severity()).isEqualTo(Severity.ERROR);
				assertThat(finding.text()).isEqualTo(
						"No instance takes calls of demo.Stock:2: 10.0.0.5:9090 is BACKING_OFF (cannot connect).");
				assertThat(finding.property()).isNull();
				assertThat(finding.link()).isEqualTo("#/references/demo.Stock%3A2");
			});
		assertThat(new DiagnosticSnapshots().references(DiagnosticSnapshots.reference("demo.Stock")).find())
			.singleElement()
			.satisfies((finding) -> {
				assertThat(finding.text()).contains("no instance of it is known to zookeeper at zk1");
				assertThat(finding.property()).isEqualTo("rpc.registry.zookeeper.connect-string");
			});
	}

	@Test
	void reference_isNotFound_whenReadyOrConnecting() {
		ReferenceInfo ready = DiagnosticSnapshots.reference("demo.Stock",
				DiagnosticSnapshots.instance("10.0.0.5", State.BACKING_OFF, 0, "cannot connect"),
				DiagnosticSnapshots.instance("10.0.0.6", State.READY, 0, ""));
		ReferenceInfo connecting = DiagnosticSnapshots.reference("demo.Prices",
				DiagnosticSnapshots.instance("10.0.0.7", State.CONNECTING, 0, ""));
		assertThat(DependencyChecks.withoutInstance(new DiagnosticSnapshots().references(ready, connecting).build()))
			.isEmpty();
	}

	@Test
	void references_shareOneFinding_whenTheyMissSameInstances() {
		Instance away = DiagnosticSnapshots.instance("10.0.0.5", State.BACKING_OFF, 0, "cannot connect");
		assertThat(new DiagnosticSnapshots()
			.references(DiagnosticSnapshots.reference("demo.Stock", away),
					DiagnosticSnapshots.reference("demo.Prices", away))
			.find()).extracting(Finding::text)
			.containsExactly("No instance takes calls of demo.Stock and demo.Prices: "
					+ "10.0.0.5:9090 is BACKING_OFF (cannot connect).");
		assertThat(new DiagnosticSnapshots()
			.references(DiagnosticSnapshots.reference("demo.A", away), DiagnosticSnapshots.reference("demo.B", away),
					DiagnosticSnapshots.reference("demo.C", away), DiagnosticSnapshots.reference("demo.D", away))
			.find()).singleElement()
			.satisfies((finding) -> assertThat(finding.text())
				.startsWith("No instance takes calls of demo.A, demo.B and 2 more services:"));
	}

	@Test
	void unreachableInstance_isFoundOnce_withOtherReadyInstances() {
		Instance away = DiagnosticSnapshots.instance("10.0.0.5", State.BACKING_OFF, 0, "no answer");
		Instance ready = DiagnosticSnapshots.instance("10.0.0.6", State.READY, 0, "");
		Instance connecting = DiagnosticSnapshots.instance("10.0.0.7", State.CONNECTING, 0, "");
		assertThat(new DiagnosticSnapshots()
			.references(DiagnosticSnapshots.reference("demo.Stock", away, ready, connecting),
					DiagnosticSnapshots.reference("demo.Prices", away, ready))
			.find()).singleElement().satisfies((finding) -> {
				assertThat(finding.severity()).isEqualTo(Severity.WARNING);
				assertThat(finding.text()).isEqualTo("stock at 10.0.0.5:9090 cannot be reached: no answer. "
						+ "1 of 3 instances of demo.Stock takes calls.");
				assertThat(finding.link()).isEqualTo("#/instances/10.0.0.5%3A9090");
			});
	}

	@Test
	void refusingInstances_areFoundOnce_forReferencesOfOneService() {
		ReferenceInfo reference = DiagnosticSnapshots.reference("demo.Stock",
				DiagnosticSnapshots.instance("10.0.0.5", State.READY, 0, "refuses count()"),
				DiagnosticSnapshots.instance("10.0.0.6", State.READY, 0, "refuses count()"),
				DiagnosticSnapshots.instance("10.0.0.7", State.INCOMPATIBLE, 0, "refuses count()"));
		assertThat(new DiagnosticSnapshots().references(reference, reference).find()).extracting(Finding::text)
			.containsExactly("3 instances of demo.Stock refuse methods: refuses count().");
	}

	@Test
	void missingInstanceFinding_saysCallsTimeOut_whenAllInstancesAreFrozen() {
		ReferenceInfo reference = DiagnosticSnapshots.reference("demo.Stock",
				DiagnosticSnapshots.instance("10.0.0.5", State.FROZEN, 0, "it owes answers"),
				DiagnosticSnapshots.instance("10.0.0.6", State.BACKING_OFF, 0, "cannot connect"));
		assertThat(new DiagnosticSnapshots().references(reference).find())
			.filteredOn((each) -> each.kind().equals("NO_INSTANCE"))
			.singleElement()
			.satisfies((finding) -> {
				assertThat(finding.text())
					.startsWith("No instance answers calls of demo.Stock: 10.0.0.5:9090 is FROZEN");
				assertThat(finding.advice()).contains("go to the frozen instances", "timeout")
					.doesNotContain("at once");
			});
	}

	@Test
	void readyInstance_isFound_whenItRefusesMethods() {
		ReferenceInfo reference = DiagnosticSnapshots.reference("demo.Stock",
				DiagnosticSnapshots.instance("10.0.0.5", State.READY, 0, "refuses count()"),
				DiagnosticSnapshots.instance("10.0.0.6", State.READY, 0, ""));
		assertThat(new DiagnosticSnapshots().references(reference).find()).singleElement().satisfies((finding) -> {
			assertThat(finding.severity()).isEqualTo(Severity.WARNING);
			assertThat(finding.text()).isEqualTo("1 instance of demo.Stock refuses methods: refuses count().");
		});
	}

	@Test
	void ejectedInstance_isFoundOnce_withOtherReadyInstance() {
		Instance out = DiagnosticSnapshots.instance("10.0.0.5", State.EJECTED, 0,
				"38 % of its calls fail, elsewhere 0 %");
		Instance ready = DiagnosticSnapshots.instance("10.0.0.6", State.READY, 0, "");
		assertThat(new DiagnosticSnapshots()
			.references(DiagnosticSnapshots.reference("demo.Stock", out, ready),
					DiagnosticSnapshots.reference("demo.Prices", out, ready))
			.find()).singleElement().satisfies((finding) -> {
				assertThat(finding.kind()).isEqualTo("EJECTED_INSTANCE");
				assertThat(finding.severity()).isEqualTo(Severity.WARNING);
				assertThat(finding.text()).isEqualTo(
						"stock at 10.0.0.5:9090 is ejected for demo.Stock: " + "38 % of its calls fail, elsewhere 0 %. "
								+ "Its calls go to 1 of 2 instances; a trial call goes there from time to time.");
				assertThat(finding.property()).as("the switch is the last thing to turn").isNull();
				assertThat(finding.link()).isEqualTo("#/instances/10.0.0.5%3A9090");
			});
	}

	@Test
	void ejectedInstance_isFoundWithStatuses_ofItsFailures() {
		Instance out = new Instance(new Endpoint("10.0.0.5", 9090), "stock", "id", State.EJECTED, 1, 0,
				"the last 28 calls of count() failed, elsewhere 0 % do", "", 100, "", "", 0,
				new Calls(40, 1, 1, 1, Map.of(RpcStatus.APPLICATION, 28L, RpcStatus.UNAVAILABLE, 3L)));
		assertThat(new DiagnosticSnapshots()
			.references(DiagnosticSnapshots.reference("demo.Stock", out,
					DiagnosticSnapshots.instance("10.0.0.6", State.READY, 0, "")))
			.find())
			.singleElement()
			.satisfies((finding) -> assertThat(finding.text())
				.contains("the last 28 calls of count() failed, elsewhere 0 % do"
						+ " (in the last minute 28 APPLICATION, 3 UNAVAILABLE)."));
	}

	@Test
	void offlineServer_isNotedAndBecomesWarning_afterHours() {
		RegistrationInfo out = new RegistrationInfo(Mode.OFFLINE, 100, "requested by alice",
				DiagnosticSnapshots.NOW.minus(Duration.ofMinutes(3)));
		assertThat(new DiagnosticSnapshots().presence(out).find()).singleElement().satisfies((finding) -> {
			assertThat(finding.kind()).isEqualTo("TAKEN_OUT");
			assertThat(finding.severity()).isEqualTo(Severity.NOTE);
			assertThat(finding.text())
				.isEqualTo("The server of this process is taken out (OFFLINE) for 3 min: requested by alice.");
			assertThat(finding.since()).isEqualTo(out.since().toEpochMilli());
		});
		RegistrationInfo forgotten = new RegistrationInfo(Mode.DRAINED, 100, "requested by alice",
				DiagnosticSnapshots.NOW.minus(Duration.ofHours(3)));
		assertThat(new DiagnosticSnapshots().presence(forgotten).find()).singleElement().satisfies((finding) -> {
			assertThat(finding.severity()).isEqualTo(Severity.WARNING);
			assertThat(finding.advice()).contains("no client may call it");
		});
	}

	@Test
	void ejectedInstance_isReportedAsReceivingAllCalls_withoutAlternative() {
		ReferenceInfo reference = DiagnosticSnapshots.reference("demo.Stock",
				DiagnosticSnapshots.instance("10.0.0.5", State.EJECTED, 0, "slow"),
				DiagnosticSnapshots.instance("10.0.0.6", State.DRAINING, 0, ""));
		assertThat(new DiagnosticSnapshots().references(reference).find()).as("and not that there is none")
			.singleElement()
			.satisfies((finding) -> assertThat(finding.text()).endsWith("so it gets all of them."));
		assertThat(reference.isReady()).isTrue();
	}

	@Test
	void frozenInstance_isFoundOnce_withReadyInstance() {
		ReferenceInfo reference = DiagnosticSnapshots.reference("demo.Stock",
				DiagnosticSnapshots.instance("10.0.0.5", State.FROZEN, 0, "it owes answers"),
				DiagnosticSnapshots.instance("10.0.0.6", State.READY, 40, ""));
		assertThat(new DiagnosticSnapshots().references(reference, reference).find()).singleElement()
			.satisfies((finding) -> {
				assertThat(finding.severity()).isEqualTo(Severity.ERROR);
				assertThat(finding.text())
					.isEqualTo("stock at 10.0.0.5:9090 seems to be frozen: it owes replies and sends "
							+ "nothing, not even to a probe. New calls go to other instances, if there are any.");
				assertThat(finding.link()).isEqualTo("#/instances/10.0.0.5%3A9090");
			});
	}

	@Test
	void findings_areSummarized_whenOneCheckFindsMany() {
		ReferenceInfo[] missing = IntStream.range(0, 500)
			.mapToObj((number) -> DiagnosticSnapshots.reference("demo.Service" + number))
			.toArray(ReferenceInfo[]::new);
		List<Finding> found = new DiagnosticSnapshots().references(missing).find();
		assertThat(found).hasSize(Diagnostics.MOST_OF_A_CHECK);
		assertThat(found.get(4).text()).endsWith("And 495 more like it.");
	}

	/** Neither ejection nor health says that one of two instances is slow. */
	@Test
	void slowInstanceOfTwo_isWarning() {
		String slowness = "a typical call takes 403.0 ms, elsewhere 3.0 ms";
		ReferenceInfo reference = DiagnosticSnapshots.reference("demo.Stock",
				DiagnosticSnapshots.instance("10.0.0.1", State.READY, 0, "", slowness),
				DiagnosticSnapshots.instance("10.0.0.2", State.READY, 0, ""));
		assertThat(new DiagnosticSnapshots().references(reference).find()).singleElement().satisfies((finding) -> {
			assertThat(finding.kind()).isEqualTo("SLOW_INSTANCE");
			assertThat(finding.severity()).isEqualTo(Severity.WARNING);
			assertThat(finding.text())
				.isEqualTo("stock at 10.0.0.1:9090 is slow for calls of demo.Stock: " + slowness + ".");
			assertThat(finding.link()).isEqualTo("#/instances/10.0.0.1%3A9090");
		});
	}

}
