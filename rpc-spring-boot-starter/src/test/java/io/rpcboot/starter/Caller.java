package io.rpcboot.starter;

import io.rpcboot.spring.RpcReference;

import org.springframework.stereotype.Component;

@Component
record Caller(@RpcReference Greeter greeter) {
}
