/**
 * Services: export of beans with {@code @RpcService} to a server. Uses the annotations of
 * {@code io.rpcboot.spring} and {@code reference} (beans of interceptors, sources of
 * options); auto-configuration of the server and the endpoint use it. Nothing here
 * creates a service bean: its first call does.
 */
@NullMarked
package io.rpcboot.spring.service;

import org.jspecify.annotations.NullMarked;
