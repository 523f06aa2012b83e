/**
 * Auto-configuration of the client.
 */
@NullMarked
package io.rpcboot.spring.autoconfigure.client;

import org.jspecify.annotations.NullMarked;
