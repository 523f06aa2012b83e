/**
 * Registry of instances that a discovery system knows, by Spring Cloud's
 * {@code DiscoveryClient}. Uses the engine's public API and Spring Cloud only;
 * auto-configuration of the registry creates it. An empty list is published only if two
 * look-ups in a row return it.
 */
@NullMarked
package io.rpcboot.spring.discovery;

import org.jspecify.annotations.NullMarked;
