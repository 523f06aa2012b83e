/**
 * Public API of the Spring support: annotations, customizers and events. Depends on
 * Spring Framework and the engine, not on Spring Boot. All other packages of
 * {@code io.rpcboot.spring} may use it; it uses none of them.
 */
@NullMarked
package io.rpcboot.spring;

import org.jspecify.annotations.NullMarked;
