/**
 * Service registry: the interface {@link io.rpcboot.registry.Registry}, its values, the
 * registry of one JVM, and repeated look-ups for registries that poll. Client and server
 * use it, and each kind of registry implements it in a subpackage; it depends on the root
 * package only. A registry never blocks its callers, a list of instances is complete, and
 * the last list stays valid while the registry is unreachable.
 */
@NullMarked
package io.rpcboot.registry;

import org.jspecify.annotations.NullMarked;
