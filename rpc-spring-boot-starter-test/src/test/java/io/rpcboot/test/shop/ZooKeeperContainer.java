package io.rpcboot.test.shop;

import org.testcontainers.containers.GenericContainer;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;

/** For the page about tests: no build starts a container. */
@TestConfiguration(proxyBeanMethods = false)
class ZooKeeperContainer {

	@Bean
	@ServiceConnection(name = "zookeeper")
	GenericContainer<?> zooKeeper() {
		return new GenericContainer<>("zookeeper:3.9").withExposedPorts(2181);
	}

}
