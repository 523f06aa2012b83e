package io.rpcboot.spring.actuate.endpoint;

import java.security.Principal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.acme.GatewayProperties;
import io.rpcboot.spring.actuate.endpoint.SettingsReport.Setting;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.origin.OriginTrackedValue;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin.Location;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the properties in force, their values and their origins. */
class SettingsReportTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("management.endpoints.web.exposure.include=*",
				"management.endpoints.jmx.exposure.include=*", "management.endpoint.rpc.show-values=always")
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcRegistryAutoConfiguration.class,
				RpcSerializationAutoConfiguration.class, RpcServerAutoConfiguration.class,
				RpcEndpointAutoConfiguration.class));

	private static Setting setting(ApplicationContext context, String name) {
		return setting(context, name, SecurityContext.NONE);
	}

	private static Setting setting(ApplicationContext context, String name, SecurityContext security) {
		SettingsReport.All all = (SettingsReport.All) context.getBean(RpcEndpointWebExtension.class)
			.part(security, new String[] { "settings" }, null, AnswerForm.JSON_V3)
			.getBody();
		return all.settings().stream().filter((each) -> each.property().equals(name)).findFirst().orElse(null);
	}

	@Test
	void defaults_arePrintedInPropertySyntax() {
		this.runner.run((context) -> {
			for (Map.Entry<String, String> each : Map
				.of("rpc.client.timeout", "3s", "rpc.client.backoff.min", "100ms", "rpc.server.max-frame-size", "8MB",
						"rpc.server.batching.max-bytes", "128KB", "rpc.server.socket.send-buffer", "0B",
						"rpc.client.when-full", "block", "rpc.server.port", "9090", "rpc.server.socket.tcp-no-delay",
						"true", "rpc.registry.zookeeper.embedded.enabled", "false", "rpc.server.bind-address", "")
				.entrySet()) {
				assertThat(setting(context, each.getKey()))
					.isEqualTo(new Setting(each.getKey(), each.getValue(), "default"));
			}
		});
	}

	@Test
	void defaults_areNotMasked() {
		this.runner.run((context) -> {
			SettingsReport.All all = (SettingsReport.All) context.getBean(RpcEndpointWebExtension.class)
				.part(SecurityContext.NONE, new String[] { "settings" }, null, AnswerForm.JSON_V3)
				.getBody();
			assertThat(all.settings()).hasSizeGreaterThan(80).noneMatch((each) -> "******".equals(each.value()));
		});
	}

	@Test
	void passwords_areMasked() {
		this.runner
			.withPropertyValues("rpc.registry.type=in-memory", "rpc.registry.zookeeper.username=shop",
					"rpc.registry.zookeeper.password=secret")
			.run((context) -> {
				assertThat(setting(context, "rpc.registry.zookeeper.username").value()).isEqualTo("shop");
				assertThat(setting(context, "rpc.registry.zookeeper.password").value()).isEqualTo("******");
			});
	}

	@Test
	@PropertyEffect("management.endpoint.rpc.show-values")
	void setting_showsSourceAndLine() {
		this.runner.withInitializer((context) -> {
			OriginTrackedValue value = OriginTrackedValue.of("5s",
					new TextResourceOrigin(new ClassPathResource("application.properties"), new Location(2, 13)));
			context.getEnvironment()
				.getPropertySources()
				.addFirst(new OriginTrackedMapPropertySource("file", Map.of("rpc.client.timeout", value)));
		})
			.run((context) -> assertThat(setting(context, "rpc.client.timeout")).isEqualTo(
					new Setting("rpc.client.timeout", "5s", "class path resource [application.properties] - 3:14")));
	}

	@Test
	void environmentVariablesListsAndMaps_areShown() {
		this.runner.withInitializer((context) -> {
			context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment",
						Map.of("RPC_CLIENT_MAXPENDINGCALLS", "77")));
			context.getEnvironment()
				.getPropertySources()
				.addFirst(new MapPropertySource("map", Map.of("rpc.server.serializers[0]", "protostuff",
						"rpc.client.allow-unknown-references", "true", "rpc.client.references.stock.timeout", "7s")));
		}).run((context) -> {
			assertThat(setting(context, "rpc.client.max-pending-calls").value()).isEqualTo("77");
			assertThat(setting(context, "rpc.client.max-pending-calls").origin())
				.contains("RPC_CLIENT_MAXPENDINGCALLS");
			assertThat(setting(context, "rpc.server.serializers").value()).isEqualTo("protostuff");
			assertThat(setting(context, "rpc.server.serializers").origin()).contains("map");
			assertThat(setting(context, "rpc.client.references.stock.timeout").value()).isEqualTo("7s");
			assertThat(setting(context, "rpc.client.references.stock.timeout").origin()).contains("map");
		});
	}

	@Test
	void unboundProperties_areShownWithSecretsMasked() {
		this.runner
			.withPropertyValues("rpc.of-theirs.key[a.b]=1", "rpc.of-theirs.password=cat",
					"rpc.of-theirs.addresses=http://ann:cat@host:1,http://other")
			.run((context) -> {
				assertThat(setting(context, "rpc.of-theirs.key[a.b]").value()).isEqualTo("1");
				assertThat(setting(context, "rpc.of-theirs.password").value()).isEqualTo("******");
			});
	}

	/** The hash of a password can be guessed offline. */
	@Test
	void hashInAcl_isMasked() {
		this.runner
			.withPropertyValues("rpc.of-theirs.acl=digest:ops:8j0ivsrBzwmqAJq4hbe+cPbkWxs=:cdrwa",
					"rpc.of-theirs.more=world:anyone:r,digest:ops:8j0ivsrBzwmqAJq4hbe+cPbkWxs=:cdrwa",
					"rpc.of-theirs.open=world:anyone:cdrwa")
			.run((context) -> {
				assertThat(setting(context, "rpc.of-theirs.acl").value()).isEqualTo("******");
				assertThat(setting(context, "rpc.of-theirs.more").value()).isEqualTo("******");
				assertThat(setting(context, "rpc.of-theirs.open").value()).isEqualTo("world:anyone:cdrwa");
			});
	}

	@Test
	void propertiesOfApplicationBeans_areShownWithSecretsMasked() {
		this.runner.withUserConfiguration(Theirs.class)
			.withPropertyValues("rpc.gateway.api-key=cat", "rpc.gateway.routes[0].url=http://other",
					"rpc.gateway.routes[0].password=cat")
			.run((context) -> {
				assertThat(setting(context, "rpc.gateway.routes[0].url").value()).isEqualTo("http://other");
				assertThat(setting(context, "rpc.gateway.routes[0].password").value()).isEqualTo("******");
				assertThat(setting(context, "rpc.gateway.api-key").value()).isEqualTo("******");
				assertThat(setting(context, "rpc.gateway")).isNull();
				assertThat(setting(context, "rpc.gateway.routes")).isNull();
			});
	}

	@Test
	void objectValue_isShownAsClassName() {
		Map<String, Object> set = Map.of("rpc.of-theirs.user", new Gateway(), "rpc.of-theirs.users",
				List.of(new Gateway()), "rpc.of-theirs.names", List.of("ann", "bob"));
		this.runner.withInitializer(
				(context) -> context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("map", set)))
			.run((context) -> {
				assertThat(setting(context, "rpc.of-theirs.user").value()).isEqualTo(Gateway.class.getName());
				assertThat(setting(context, "rpc.of-theirs.users").value()).doesNotContain("cat");
				assertThat(setting(context, "rpc.of-theirs.names").value()).isEqualTo("ann, bob");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "never", "when-authorized" })
	void values_areMasked_unlessShowValuesAllowsThem(String show) {
		this.runner.withPropertyValues("management.endpoint.rpc.show-values=" + show, "rpc.client.timeout=5s")
			.run((context) -> assertThat(setting(context, "rpc.client.timeout")).satisfies((each) -> {
				assertThat(each.value()).isEqualTo("******");
				assertThat(each.origin()).contains("rpc.client.timeout");
			}));
	}

	@ParameterizedTest
	@CsvSource({ "OPERATOR, 5s", "CLERK, ******" })
	@PropertyEffect("management.endpoint.rpc.roles")
	void values_areShownToRoles(String role, String shown) {
		SecurityContext security = new SecurityContext() {

			@Override
			public Principal getPrincipal() {
				return () -> "Doug";
			}

			@Override
			public boolean isUserInRole(String asked) {
				return asked.equals(role);
			}

		};
		this.runner
			.withPropertyValues("management.endpoint.rpc.show-values=when-authorized",
					"management.endpoint.rpc.roles=OPERATOR", "rpc.client.timeout=5s")
			.run((context) -> assertThat(setting(context, "rpc.client.timeout", security).value()).isEqualTo(shown));
	}

	@Test
	void sanitizingFunctions_applyToSettings() {
		this.runner
			.withBean(SanitizingFunction.class,
					() -> (data) -> data.getKey().endsWith("bind-address") ? data.withValue("hidden") : data)
			.run((context) -> {
				assertThat(setting(context, "rpc.server.bind-address").value()).isEqualTo("hidden");
				assertThat(setting(context, "rpc.server.advertised-address").value()).isEmpty();
			});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties({ GatewayProperties.class, Gateway.class })
	static class Theirs {

	}

	/** As Lombok's {@code @Data} makes it. */
	@ConfigurationProperties("rpc.gateway")
	static class Gateway {

		@Override
		public String toString() {
			return "Gateway(password=cat)";
		}

	}

	/** The value of the start stays in force, so its origin does, too. */
	@Test
	void changedEnvironment_isShownAsNextValue_andOriginStays() {
		Map<String, Object> file = new HashMap<>(Map.of("rpc.client.timeout", "5s", "rpc.client.warm-up", "1s"));
		this.runner
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new MapPropertySource("file", file)))
			.run((context) -> {
				Setting before = setting(context, "rpc.client.timeout");
				assertThat(before.next()).isNull();
				file.put("rpc.client.timeout", "9s");
				file.put("rpc.client.connect-timeout", "2s");
				file.remove("rpc.client.warm-up");
				assertThat(setting(context, "rpc.client.timeout")).isEqualTo(new Setting("rpc.client.timeout", "5s",
						before.origin(), new SettingsReport.Next("9s", before.origin())));
				Setting added = setting(context, "rpc.client.connect-timeout");
				assertThat(added.value()).isEqualTo("3s");
				assertThat(added.origin()).isEqualTo("default");
				assertThat(added.next()).isNotNull().extracting(SettingsReport.Next::value).isEqualTo("2s");
				Setting removed = setting(context, "rpc.client.warm-up");
				assertThat(removed.value()).isEqualTo("1s");
				assertThat(removed.next()).isEqualTo(new SettingsReport.Next(null, "default"));
			});
	}

}
