package io.rpcboot.spring.autoconfigure.client;

import java.util.Set;
import java.util.function.Function;

import io.rpcboot.ServiceId;
import io.rpcboot.spring.lifecycle.RpcServerRegistrar;
import io.rpcboot.spring.service.RpcServiceExporter;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Advice for a call without an instance, if this process itself offers the service: the
 * call is too early or too late, and waits if the server is still to be found. Reads the
 * bean definitions once, in the constructor. Event loops call it, so it takes no lock of
 * the bean factory.
 */
final class LocalServiceAdvice implements Function<ServiceId, String> {

	private final ConfigurableListableBeanFactory beanFactory;

	private final boolean inMemory;

	private final String[] registrars;

	private final Set<ServiceId> offered;

	/**
	 * Reads which services this application will offer.
	 * @param beanFactory the context
	 * @param inMemory true for the in-memory registry, where a server is registered
	 * before runners
	 */
	LocalServiceAdvice(ConfigurableListableBeanFactory beanFactory, boolean inMemory) {
		this.beanFactory = beanFactory;
		this.inMemory = inMemory;
		this.registrars = beanFactory.getBeanNamesForType(RpcServerRegistrar.class, true, false);
		this.offered = (this.registrars.length > 0) ? new RpcServiceExporter(beanFactory).serviceIds() : Set.of();
	}

	@Override
	public String apply(ServiceId service) {
		if (!this.offered.contains(service)) {
			return "";
		}
		RpcServerRegistrar registrar = registrar();
		if (registrar == null || !registrar.wasRegistered()) {
			return "this process offers it, but its server has not started yet: call from "
					+ (this.inMemory ? "an ApplicationRunner or after ApplicationReadyEvent"
							: "a listener of ApplicationReadyEvent or later");
		}
		return registrar.isRunning() ? "this process has registered it, and the registry does not name it yet"
				: "this process offered it, and its server is shutting down";
	}

	/**
	 * Returns true if this process offers a service, and clients will find its server
	 * soon.
	 */
	boolean isExpected(ServiceId service) {
		if (!this.offered.contains(service)) {
			return false;
		}
		RpcServerRegistrar registrar = registrar();
		return registrar == null || registrar.isExpected();
	}

	private @Nullable RpcServerRegistrar registrar() {
		for (String name : this.registrars) {
			if (this.beanFactory.containsSingleton(name)
					&& this.beanFactory.getSingleton(name) instanceof RpcServerRegistrar registrar) {
				return registrar;
			}
		}
		return null;
	}

}
