/**
 * Integration with Spring Boot Actuator: the endpoint {@code rpc}, diagnosis, health and
 * info. Packages from the bottom to the top: {@code descriptor}, {@code findings},
 * {@code endpoint}, then {@code health} and {@code info}. Only these packages may use
 * classes of Actuator, so that Actuator stays optional.
 */
@NullMarked
package io.rpcboot.spring.actuate;

import org.jspecify.annotations.NullMarked;
