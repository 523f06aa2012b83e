/**
 * The {@code rpc} endpoint and health of Spring Boot Actuator.
 */
@NullMarked
package io.rpcboot.spring.actuate;

import org.jspecify.annotations.NullMarked;
