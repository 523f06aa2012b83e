package io.rpcboot.test.shop;

import io.rpcboot.spring.RpcReference;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class OrderController {

	private final Stock stock;

	OrderController(@RpcReference(timeout = "700ms") Stock stock) {
		this.stock = stock;
	}

	@GetMapping("/orders/{article}")
	String order(@PathVariable String article) {
		return (this.stock.available(article) > 0) ? "ordered" : "sold out";
	}

}
