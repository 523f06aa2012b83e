/**
 * Connection details of ZooKeeper in containers: Testcontainers with
 * {@code @ServiceConnection}, and Docker Compose. Needs the module of Spring Boot for the
 * one that is used; uses {@code autoconfigure.registry}, and no package uses it.
 */
@NullMarked
package io.rpcboot.spring.docker;

import org.jspecify.annotations.NullMarked;
