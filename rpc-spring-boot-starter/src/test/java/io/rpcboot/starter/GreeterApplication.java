package io.rpcboot.starter;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class GreeterApplication {

}
