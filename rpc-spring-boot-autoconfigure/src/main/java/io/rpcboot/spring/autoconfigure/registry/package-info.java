/**
 * Auto-configuration of the registry: in-memory, ZooKeeper or a discovery system. Uses
 * {@code properties} and the package {@code discovery}; {@code client}, {@code server}
 * and connection details of containers use it. A {@code Registry} bean of the application
 * replaces all of it.
 */
@NullMarked
package io.rpcboot.spring.autoconfigure.registry;

import org.jspecify.annotations.NullMarked;
