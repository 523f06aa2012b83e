/**
 * Auto-configuration of the server.
 */
@NullMarked
package io.rpcboot.spring.autoconfigure.server;

import org.jspecify.annotations.NullMarked;
