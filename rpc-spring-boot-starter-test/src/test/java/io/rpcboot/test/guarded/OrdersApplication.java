package io.rpcboot.test.guarded;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class OrdersApplication {

}
