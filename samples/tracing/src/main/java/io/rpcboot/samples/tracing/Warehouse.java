package io.rpcboot.samples.tracing;

import io.rpcboot.spring.RpcService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/** Fourth application: runs calls on virtual threads, if Java has them. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(Warehouse.Service.class)
public class Warehouse {

	private static final Logger logger = LoggerFactory.getLogger(Warehouse.class);

	@RpcService
	static class Service implements WarehouseService {

		@Override
		public String find(String item) throws NoSuchItemException {
			logger.info("it is looked up");
			return switch (item) {
				case "unknown" -> throw new NoSuchItemException(item);
				case "broken" -> throw new IllegalStateException("the shelf is broken");
				default -> "shelf 7";
			};
		}

	}

}
