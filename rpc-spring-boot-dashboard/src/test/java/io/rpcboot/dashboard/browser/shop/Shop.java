package io.rpcboot.dashboard.browser.shop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.rpcboot.registry.zookeeper.EmbeddedZooKeeper;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Customers call {@link OrderService}, which calls {@link StockService} and
 * {@link PaymentService}. All are applications of their own, in this process.
 */
public final class Shop implements AutoCloseable {

	private EmbeddedZooKeeper zooKeeper = new EmbeddedZooKeeper();

	private final int zooKeeperPort = this.zooKeeper.port();

	private final Bank bank = new Bank();

	/** An application is at the same port whenever it is started. */
	private final Map<Application, Integer> ports = new EnumMap<>(Application.class);

	private final Map<Application, ConfigurableApplicationContext> running = new EnumMap<>(Application.class);

	private final int webPort = freePort();

	/** Start everything. */
	public Shop() {
		for (Application each : Application.values()) {
			this.ports.put(each, freePort());
		}
		for (Application each : Application.values()) {
			start(each);
		}
	}

	private static int freePort() {
		try (ServerSocket free = new ServerSocket(0)) {
			return free.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Where {@link Application#ORDERS} has its page. */
	public int webPort() {
		return this.webPort;
	}

	/** Where an application is called; one of them by the name of its host. */
	public String endpoint(Application application) {
		return ((application == Application.PAYMENT) ? "localhost:" : "127.0.0.1:") + this.ports.get(application);
	}

	/** Who makes the calls. */
	public Customers customers() {
		return Objects.requireNonNull(this.running.get(Application.WEB)).getBean(Customers.class);
	}

	/** What keeps {@code settle()} waiting. */
	public Bank bank() {
		return this.bank;
	}

	/** Start an application that does not run. Returns when it is up. */
	public void start(Application application) {
		this.running.put(application,
				new SpringApplicationBuilder(Configuration.class, application.bean()).web(application.web())
					.registerShutdownHook(false)
					.initializers((context) -> context.getBeanFactory().registerSingleton("bank", this.bank))
					.properties(properties(application).toArray(String[]::new))
					.run());
	}

	private List<String> properties(Application application) {
		List<String> properties = new ArrayList<>(List.of("spring.application.name=" + application.label(),
				"spring.main.banner-mode=off", "logging.level.root=warn", "logging.level.rpc=error",
				"rpc.server.bind-address=127.0.0.1", "rpc.server.port=" + this.ports.get(application),
				"server.address=127.0.0.1", "server.port=" + this.webPort, "server.shutdown=immediate",
				"management.endpoints.web.exposure.include=rpc,rpcdashboard",
				"spring.autoconfigure.exclude=" + String.join(",", SECURITY)));
		if (application.isRegistered()) {
			properties.add("rpc.registry.zookeeper.connect-string=127.0.0.1:" + this.zooKeeperPort);
		}
		if (application == Application.ORDERS) {
			properties.add("rpc.client.backoff.max=1s");
			properties.add("rpc.client.load-balancer=round-robin");
			properties.add("rpc.client.references.payments.addresses=" + endpoint(Application.PAYMENT) + ","
					+ endpoint(Application.OTHER_PAYMENT));
		}
		return properties;
	}

	private static final List<String> SECURITY = List.of(
			"org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration",
			"org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
			"org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration",
			"org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration");

	/** Stop an application in good order. Returns when it has. */
	public void stop(Application application) {
		Objects.requireNonNull(this.running.remove(application)).close();
	}

	/** ZooKeeper is away. */
	public void stopRegistry() {
		this.zooKeeper.close();
	}

	/** It is back, without its data. */
	public void startRegistry() {
		this.zooKeeper = new EmbeddedZooKeeper(this.zooKeeperPort, null);
	}

	@Override
	public void close() {
		List<Application> applications = new ArrayList<>(this.running.keySet());
		Collections.reverse(applications);
		applications.forEach(this::stop);
		this.zooKeeper.close();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Configuration {

	}

	/** To look at the page by hand. */
	public static void main(String[] arguments) {
		Shop shop = new Shop();
		Runtime.getRuntime().addShutdownHook(new Thread(shop::close));
		shop.customers().enter(8, 12);
		System.out.printf("http://localhost:%d/actuator/rpcdashboard%n", shop.webPort());
	}

}
