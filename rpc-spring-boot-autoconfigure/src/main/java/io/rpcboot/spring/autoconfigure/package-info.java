/**
 * Auto-configuration of client, server, registry and metrics, and their properties.
 */
@NullMarked
package io.rpcboot.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
