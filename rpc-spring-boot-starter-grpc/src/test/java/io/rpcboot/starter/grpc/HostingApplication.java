package io.rpcboot.starter.grpc;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application with one generated service. */
@SpringBootApplication
class HostingApplication {

}
