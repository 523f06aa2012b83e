/**
 * Registrations and watched services.
 */
@NullMarked
package io.rpcboot.internal.registry.zookeeper.directory;

import org.jspecify.annotations.NullMarked;
