package io.rpcboot.samples.tracing;

import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/** Second application: calls the stock, which replies asynchronously. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(Orders.Service.class)
public class Orders {

	private static final Logger logger = LoggerFactory.getLogger(Orders.class);

	@RpcService
	static class Service implements OrderService {

		private final StockService stock;

		Service(@RpcReference(name = "stock") StockService stock) {
			this.stock = stock;
		}

		@Override
		public String order(String item) {
			logger.info("an order has arrived");
			this.stock.ordered(item);
			return this.stock.reserve(item).join();
		}

	}

}
