package io.rpcboot.samples.tracing;

import io.rpcboot.spring.RpcReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** First application: takes orders by HTTP. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(Front.OrderController.class)
public class Front {

	private static final Logger logger = LoggerFactory.getLogger(Front.class);

	@RestController
	static class OrderController {

		private final OrderService orders;

		OrderController(@RpcReference(name = "orders") OrderService orders) {
			this.orders = orders;
		}

		@GetMapping("/order/{item}")
		String order(@PathVariable String item) {
			logger.info("an order is requested");
			return this.orders.order(item);
		}

	}

}
