package io.rpcboot.samples.tracing;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.micrometer.context.ContextExecutorService;
import io.micrometer.context.ContextSnapshotFactory;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/** Third application: continues on its own threads, and calls from there. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(Stock.Service.class)
public class Stock {

	private static final Logger logger = LoggerFactory.getLogger(Stock.class);

	@RpcService
	static class Service implements StockService, DisposableBean {

		private final WarehouseService warehouse;

		private final ExecutorService threads = ContextExecutorService.wrap(Executors.newFixedThreadPool(2),
				ContextSnapshotFactory.builder().build()::captureAll);

		Service(@RpcReference(name = "warehouse") WarehouseService warehouse) {
			this.warehouse = warehouse;
		}

		@Override
		public CompletableFuture<String> reserve(String item) {
			return CompletableFuture.supplyAsync(() -> {
				logger.info("it is reserved");
				try {
					return this.warehouse.find(item);
				}
				catch (NoSuchItemException ex) {
					return "nowhere";
				}
			}, this.threads);
		}

		@Override
		public void ordered(String item) {
			logger.info("it was ordered");
		}

		@Override
		public void destroy() {
			this.threads.shutdown();
		}

	}

}
