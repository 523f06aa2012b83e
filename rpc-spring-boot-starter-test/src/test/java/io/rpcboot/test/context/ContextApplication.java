package io.rpcboot.test.context;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication(proxyBeanMethods = false)
class ContextApplication {

}
