package io.rpcboot.internal.server.lifecycle;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.rpcboot.Endpoint;
import io.rpcboot.LoggedLines;
import io.rpcboot.ServiceId;
import io.rpcboot.internal.server.runtime.ServerOptions;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.server.BuiltOptions;
import io.rpcboot.server.InstanceOptions;
import io.rpcboot.server.RegistrationInfo;
import io.rpcboot.server.RegistrationInfo.Mode;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.TlsOptions;
import io.rpcboot.transport.TlsOptions.ClientAuth;
import io.rpcboot.workload.UserService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Tests the states of a server's registration and their log lines. */
class ServerRegistrationTests {

	private static final Set<ServiceId> SERVICES = Set.of(ServiceId.of(UserService.class));

	@RegisterExtension
	final LoggedLines lines = new LoggedLines("rpc.server");

	private Instant now = Instant.ofEpochSecond(1000);

	private ServerRegistration presence(Registry registry) {
		ServerOptions options = BuiltOptions.of(RpcServer.builder().registry(registry).advertisedAddress("10.0.0.5"));
		ServerRegistration presence = new ServerRegistration(options, SERVICES, () -> this.now);
		presence.bound(AdvertisedAddress.choose(options), new Endpoint("10.0.0.5", 9090));
		return presence;
	}

	private static boolean change(ServerRegistration presence, Mode mode, String reason) {
		return presence.change(mode, reason, () -> {
		});
	}

	@Test
	void change_isLoggedOnce_withReason() {
		try (Registry registry = new InMemoryRegistry()) {
			ServerRegistration presence = presence(registry);
			presence.register();
			int before = this.lines.messages().size();
			this.now = Instant.ofEpochSecond(2000);
			assertThat(change(presence, Mode.OFFLINE, "asked for by alice")).isTrue();
			this.now = Instant.ofEpochSecond(3000);
			assertThat(change(presence, Mode.OFFLINE, "asked for by bob")).as("it is").isFalse();
			presence.weight(7, "asked for by carol");
			presence.weight(7, "asked for by bob");
			assertThat(this.lines.messages().subList(before, this.lines.messages().size())).containsExactly(
					"RPC server on 10.0.0.5:9090 is OFFLINE now: asked for by alice",
					"RPC server on 10.0.0.5:9090 has weight 7 now, 100 before: asked for by carol");
			assertThat(presence.info())
				.isEqualTo(new RegistrationInfo(Mode.OFFLINE, 7, "asked for by alice", Instant.ofEpochSecond(2000)));
		}
	}

	@ParameterizedTest
	@CsvSource({ "REQUIRED, NONE, 'TLS, zone eu'", "REQUIRED, NEED, 'mutual TLS, zone eu'",
			"OPTIONAL, WANT, 'TLS or clear text, zone eu'", "DISABLED, NEED, zone eu" })
	void offer_tellsOfTls(TlsOptions.Mode mode, ClientAuth clientAuth, String text) {
		ServerOptions options = BuiltOptions.of(RpcServer.builder()
			.advertisedAddress("10.0.0.5")
			.instance(InstanceOptions.defaults().withZone("eu"))
			.tls(TlsOptions.of(null, null).withMode(mode).withClientAuth(clientAuth)));
		new ServerRegistration(options, SERVICES, () -> this.now).bound(AdvertisedAddress.choose(options),
				new Endpoint("10.0.0.5", 9090));
		assertThat(this.lines.messages()).last()
			.asString()
			.endsWith(" with " + text + "; not registered, because it has no registry");
	}

	@ParameterizedTest
	@CsvSource({ "NATIVE, native", "GRPC, gRPC" })
	void offer_tellsOfProtocol(Protocol protocol, String text) {
		ServerOptions options = BuiltOptions.of(RpcServer.builder().advertisedAddress("10.0.0.5").protocols(protocol));
		new ServerRegistration(options, SERVICES, () -> this.now).bound(AdvertisedAddress.choose(options),
				new Endpoint("10.0.0.5", 9090));
		assertThat(this.lines.messages()).last()
			.asString()
			.endsWith(" over " + text + "; not registered, because it has no registry");
	}

	@Test
	void drainedServer_staysOut_whenApplicationRegistersIt() {
		try (Registry registry = new InMemoryRegistry()) {
			ServerRegistration presence = presence(registry);
			change(presence, Mode.DRAINED, "test");
			presence.register();
			assertThat(presence.location()).isEmpty();
			assertThat(this.lines.messages()).last().asString().endsWith("not registered, because it is DRAINED");
			presence.deregister();
			change(presence, Mode.ONLINE, "test");
			assertThat(presence.location()).as("the application takes no traffic").isEmpty();
			presence.register();
			assertThat(presence.location()).isNotEmpty();
		}
	}

	@Test
	void server_isOutOfRegistry_whileClientsAreNotified() {
		try (Registry registry = new InMemoryRegistry()) {
			ServerRegistration presence = presence(registry);
			presence.register();
			List<Boolean> registered = new ArrayList<>();
			presence.change(Mode.DRAINED, "test", () -> registered.add(!presence.location().isEmpty()));
			presence.change(Mode.ONLINE, "test", () -> registered.add(!presence.location().isEmpty()));
			assertThat(registered).containsExactly(false, false);
			assertThat(presence.location()).isNotEmpty();
		}
	}

	@Test
	void readiness_followsModeAndApplication() {
		try (Registry registry = new InMemoryRegistry()) {
			ServerRegistration presence = presence(registry);
			AtomicReference<Boolean> ready = new AtomicReference<>();
			presence.onReadiness(ready::set);
			assertThat(ready).hasValue(false);
			presence.register();
			assertThat(ready).hasValue(true);
			for (Mode each : List.of(Mode.OFFLINE, Mode.DRAINED)) {
				change(presence, each, "test");
				assertThat(ready).as("%s", each).hasValue(false);
				presence.register();
				assertThat(ready).as("%s", each).hasValue(false);
				change(presence, Mode.ONLINE, "test");
				assertThat(ready).hasValue(true);
			}
			presence.deregister();
			assertThat(ready).hasValue(false);
			presence.register();
			presence.close();
			assertThat(ready).hasValue(false);
			presence.register();
			assertThat(ready).as("closed").hasValue(false);
		}
	}

	@Test
	void readiness_changesBeforeTheRegistry_alsoIfThatFails() {
		OldRegistry registry = new OldRegistry();
		ServerRegistration presence = presence(registry);
		presence.register();
		presence.onReadiness((ready) -> registry.said.add(ready ? "ready" : "not ready"));
		presence.deregister();
		presence.register();
		assertThat(registry.said).containsExactly("in 100", "ready", "not ready", "out", "ready", "in 100");
		registry.fails = true;
		assertThatIllegalStateException().isThrownBy(() -> change(presence, Mode.DRAINED, "test"));
		assertThat(registry.said).endsWith("not ready");
	}

	@Test
	void registration_isUnchanged_afterClose() {
		try (Registry registry = new InMemoryRegistry()) {
			ServerRegistration presence = presence(registry);
			presence.register();
			presence.close();
			presence.register();
			assertThat(presence.location()).isEmpty();
			assertThatIllegalStateException().isThrownBy(() -> change(presence, Mode.DRAINED, "test"));
			assertThatIllegalStateException().isThrownBy(() -> presence.weight(5, "test"));
		}
	}

	@Test
	void instance_isRegisteredAgain_whenRegistryCannotUpdate() {
		OldRegistry registry = new OldRegistry();
		ServerRegistration presence = presence(registry);
		presence.register();
		presence.weight(7, "test");
		assertThat(registry.said).containsExactly("in 100", "out", "in 7");
	}

	@Test
	void drain_continues_whenRegistryFails() {
		OldRegistry registry = new OldRegistry();
		ServerRegistration presence = presence(registry);
		presence.register();
		registry.fails = true;
		List<String> told = new ArrayList<>();
		assertThatIllegalStateException()
			.isThrownBy(() -> presence.change(Mode.DRAINED, "test", () -> told.add("clients")));
		assertThat(told).containsExactly("clients");
		assertThat(presence.info().mode()).isEqualTo(Mode.DRAINED);
	}

	@Test
	void change_isRepeatable_afterRegistryFailed() {
		OldRegistry registry = new OldRegistry();
		ServerRegistration presence = presence(registry);
		presence.register();
		change(presence, Mode.OFFLINE, "test");
		registry.fails = true;
		assertThatIllegalStateException().isThrownBy(() -> change(presence, Mode.ONLINE, "test"));
		registry.fails = false;
		assertThat(change(presence, Mode.ONLINE, "test")).as("it is").isFalse();
		assertThat(registry.said).containsExactly("in 100", "out", "in 100");
	}

	/** Knows what registries could do before there were updates. */
	private static final class OldRegistry implements Registry {

		private final List<String> said = new ArrayList<>();

		private boolean fails;

		private void say(String what) {
			if (this.fails) {
				throw new IllegalStateException("injected");
			}
			this.said.add(what);
		}

		@Override
		public Registration register(ServiceInstance instance) {
			say("in " + instance.weight());
			return new Registration() {

				@Override
				public boolean isRegistered() {
					return true;
				}

				@Override
				public String location() {
					return "somewhere";
				}

				@Override
				public void close() {
					say("out");
				}

			};
		}

		@Override
		public Subscription subscribe(ServiceId service, Consumer<List<ServiceInstance>> listener) {
			return () -> {
			};
		}

		@Override
		public RegistryState state() {
			return RegistryState.CONNECTED;
		}

		@Override
		public boolean isLocal() {
			return true;
		}

		@Override
		public String description() {
			return "an old registry";
		}

		@Override
		public void close() {
		}

	}

}
