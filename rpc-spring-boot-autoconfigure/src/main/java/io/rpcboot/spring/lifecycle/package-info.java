/**
 * Start and stop of clients and servers with the context. Uses {@code reference};
 * auto-configuration and test support use it. Order of start: the client connects, the
 * server binds, the web server starts, the client warms up; the server is registered when
 * the application accepts traffic, or before the warm-up with an in-memory registry.
 * Order of stop: the server is deregistered and drains at the same time as the web
 * server, then the client closes.
 */
@NullMarked
package io.rpcboot.spring.lifecycle;

import org.jspecify.annotations.NullMarked;
