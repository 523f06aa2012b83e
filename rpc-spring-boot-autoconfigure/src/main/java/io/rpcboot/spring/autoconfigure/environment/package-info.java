/**
 * Environment post-processors: default properties of Spring Boot and names of environment
 * variables. Uses the properties of {@code client} and {@code server}; no package uses
 * it. Runs before the context exists, so it logs by a deferred log.
 */
@NullMarked
package io.rpcboot.spring.autoconfigure.environment;

import org.jspecify.annotations.NullMarked;
