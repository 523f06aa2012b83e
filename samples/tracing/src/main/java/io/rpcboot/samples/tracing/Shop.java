package io.rpcboot.samples.tracing;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.server.RpcServer;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Runs the four applications in one process, each with its own beans and connections. */
public final class Shop implements AutoCloseable {

	private final List<ConfigurableApplicationContext> applications = new ArrayList<>();

	/**
	 * Starts the applications.
	 * @param more further configuration of each application
	 * @param properties properties of each application, as name=value
	 */
	public Shop(Class<?> more, String... properties) {
		String dispatch = (Runtime.version().feature() >= 21) ? "virtual" : "pool";
		int warehouse = start(Warehouse.class, more, properties, "rpc.server.dispatch=" + dispatch);
		int stock = start(Stock.class, more, properties,
				"rpc.client.references.warehouse.addresses=127.0.0.1:" + warehouse);
		int orders = start(Orders.class, more, properties, "rpc.client.references.stock.addresses=127.0.0.1:" + stock);
		start(Front.class, more, properties, "rpc.client.references.orders.addresses=127.0.0.1:" + orders);
	}

	/**
	 * Runs the shop.
	 * @param args properties of each application, as --name=value
	 */
	public static void main(String[] args) {
		String[] properties = new String[args.length];
		for (int i = 0; i < args.length; i++) {
			properties[i] = args[i].replaceFirst("^--", "");
		}
		Shop shop = new Shop(Shop.class, properties);
		System.out.println("curl http://localhost:" + shop.port() + "/order/tea");
	}

	private int start(Class<?> application, Class<?> more, String[] properties, String own) {
		boolean web = application == Front.class;
		ConfigurableApplicationContext started = new SpringApplicationBuilder(application, more)
			.web(web ? WebApplicationType.SERVLET : WebApplicationType.NONE)
			.properties("spring.application.name=" + application.getSimpleName(), own)
			.properties(properties)
			.run();
		this.applications.add(started);
		RpcServer server = started.getBeanProvider(RpcServer.class).getIfAvailable();
		return (server != null) ? server.port() : 0;
	}

	/**
	 * Returns the context of an application.
	 * @param type its class
	 * @return its context
	 */
	public ConfigurableApplicationContext application(Class<?> type) {
		return this.applications.stream()
			.filter((each) -> each.getBeanNamesForType(type).length > 0)
			.findFirst()
			.orElseThrow();
	}

	/**
	 * Returns the HTTP port for orders.
	 * @return the port of the first application
	 */
	public int port() {
		return Integer.parseInt(application(Front.class).getEnvironment().getRequiredProperty("local.server.port"));
	}

	@Override
	public void close() {
		for (int i = this.applications.size() - 1; i >= 0; i--) {
			SpringApplication.exit(this.applications.get(i));
		}
	}

}
