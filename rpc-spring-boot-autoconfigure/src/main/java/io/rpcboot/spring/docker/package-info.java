/**
 * Where ZooKeeper is when it runs in a container: of Testcontainers with
 * {@code @ServiceConnection}, or of Docker Compose. Needs Spring Boot's module for it.
 */
@NullMarked
package io.rpcboot.spring.docker;

import org.jspecify.annotations.NullMarked;
