package io.rpcboot.test.context;

import org.springframework.stereotype.Component;

@Component
class Tenant {

	volatile String token = "right";

	String name() {
		return "acme";
	}

	String token() {
		return this.token;
	}

}
