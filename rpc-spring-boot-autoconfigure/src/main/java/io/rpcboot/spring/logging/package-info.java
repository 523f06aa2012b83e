/**
 * Access log and MDC entries of server calls. Uses the engine's public API only;
 * auto-configuration of the server adds the interceptors. Text from peers is sanitized
 * before it is logged.
 */
@NullMarked
package io.rpcboot.spring.logging;

import org.jspecify.annotations.NullMarked;
